import { readJson } from '../../../catalog/json/index.js';
import { turn } from '../../../catalog/schedule/index.js';
import {
  matchedFields,
  type FieldValue,
  type SearchBudget,
  type SearchField,
  type SearchHit,
  type SearchRequest,
} from '../../../catalog/search/index.js';

/** Hits that are read before others have their turn. */
const HITS = 100;

/** What the index keeps of a document, as far as it was asked for. */
interface Source {
  urn: string;
  entity: string;
  body?: string;
}

/** A hit as the engine answers it: with what it keeps of the document, or with columns. */
export interface EngineHit {
  _source?: Source;
  fields?: Record<string, Array<string | number>>;
  sort?: unknown[];
}

type Fields = Record<string, FieldValue[]>;

/**
 * What a search has to say to get these names with each hit. Without the body they are columns: to look into what is kept of
 * a document takes the engine twenty times as long.
 */
export function shownBy(names: readonly string[]): object {
  if (names.includes('body')) return { _source: names };
  return { _source: false, stored_fields: '_none_', docvalue_fields: names };
}

export function sourceOf({ _source, fields = {} }: EngineHit): Source {
  return _source ?? { urn: String(fields['urn']?.[0]), entity: String(fields['entity']?.[0]) };
}

/** The hits of a page as the kernel wants them. @throws CatalogError SEARCH_TOO_COSTLY, REQUEST_ABANDONED */
export async function hitsOf(
  page: readonly Source[],
  { matchedFields: marked, query, fetch }: Pick<SearchRequest, 'matchedFields' | 'query' | 'fetch'>,
  queried: readonly SearchField[],
  budget?: SearchBudget,
): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  for (let from = 0; from < page.length; from += HITS) {
    if (from > 0) await turn();
    const began = performance.now();
    for (const source of page.slice(from, from + HITS)) {
      const fields = fieldsOf(source);
      found.push({
        urn: source.urn,
        entity: source.entity,
        matchedFields: marked ? matchedFields({ fields }, query, queried) : [],
        ...(fetch && { fields: picked(fields, fetch) }),
      });
    }
    budget?.spend(performance.now() - began);
  }
  return found;
}

export function fieldsOf({ body }: Source): Fields {
  return body === undefined ? {} : (readJson(body) as Fields);
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
