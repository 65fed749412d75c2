import {
  allOf,
  Completions,
  STANDING_FIELD,
  typedNode,
  type AutocompleteRequest,
  type SearchField,
  type Suggestion,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { rankedQuery } from './ranking.js';

/** Hits that are looked at, in steps, until there are suggestions enough. */
const STEP = 200;
const MAX_SEEN = 2000;

interface Hit {
  _source: { urn: string; entity: string };
  fields?: Record<string, Array<string | number>>;
}

/** How a search is carried out. */
type Searcher = (body: object) => Promise<{ hits: { hits: Hit[] } }>;

/** Completions of what was typed; see the port. */
export async function completions(
  search: Searcher,
  request: AutocompleteRequest,
  places: Places,
  names: readonly SearchField[],
): Promise<Suggestion[]> {
  const typed = typedNode(request.text);
  if (!typed || request.limit <= 0) return [];
  const found = new Completions(typed, request.fields);
  const columns = request.fields.flatMap((field) => {
    const place = places.of(field);
    if (place.in === 'terms') return [];
    return [[field, place.in === 'urn' ? 'urn' : place.text] as const];
  });
  const body = {
    query: rankedQuery({ ...request, query: allOf([request.query, typed]) }, places, names, true),
    sort: [{ _score: 'desc' }, { urn: 'asc' }],
    _source: ['urn', 'entity'],
    docvalue_fields: ['standing', ...columns.map(([, column]) => column)],
    track_total_hits: false,
  };
  for (let seen = 0; seen < MAX_SEEN && found.size < request.limit; seen += STEP) {
    const { hits } = await search({ ...body, from: seen, size: STEP });
    for (const { _source, fields = {} } of hits.hits) {
      const values: Record<string, Array<string | number>> = { [STANDING_FIELD]: fields['standing'] ?? [1] };
      for (const [field, column] of columns) values[field] = fields[column] ?? [];
      found.offer({ ..._source, fields: values });
    }
    if (hits.hits.length < STEP) break;
  }
  return found.best(request.limit);
}
