import { readJson } from '../../../catalog/json/index.js';
import { turn } from '../../../catalog/schedule/index.js';
import {
  matchedFields,
  type FieldValue,
  type SearchBudget,
  type SearchField,
  type SearchHit,
  type SearchRequest,
  type SearchScope,
} from '../../../catalog/search/index.js';
import type { Sort } from './sorting.js';

/** Hits that are read before others have their turn. */
const HITS = 100;

/** What the index keeps of a document, as far as it was asked for. */
export interface Source {
  urn: string;
  entity: string;
  body?: string;
}

/** A hit as the engine answers it: what it was sorted by, and what it keeps of the document, or columns. */
export interface EngineHit {
  sort: unknown[];
  _source?: Partial<Source>;
  fields?: Record<string, Array<string | number>>;
}

type Fields = Record<string, FieldValue[]>;

/**
 * What a search asks for with each hit, and what the hit is then. Hits in the order of URNs come with them, and of one entity type all
 * are of that: nothing is asked for twice. Without the body it asks for columns: to look into what is kept of a document takes the engine
 * twenty times as long.
 */
export class Shown {
  /** What the search has to say. */
  readonly asked: object;
  private readonly urnAt: number;
  private readonly entity: string | undefined;

  /**
   * @param order with a clause of URNs
   * @param columns besides those that say which document it is
   */
  constructor(
    { entities }: Pick<SearchScope, 'entities'>,
    order: readonly Sort[],
    columns: readonly string[] | 'body',
  ) {
    this.urnAt = order.findIndex((clause) => 'urn' in clause);
    this.entity = entities.length === 1 ? entities[0] : undefined;
    const named = this.entity === undefined ? ['entity'] : [];
    this.asked =
      columns === 'body'
        ? { _source: [...named, 'body'] }
        : { _source: false, stored_fields: '_none_', docvalue_fields: [...named, ...columns] };
  }

  sourceOf({ sort, fields, _source }: EngineHit): Source {
    const entity = this.entity ?? _source?.entity ?? fields?.['entity']?.[0];
    const body = _source?.body;
    return { urn: String(sort[this.urnAt]), entity: String(entity), ...(body !== undefined && { body }) };
  }
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
