import {
  decodeCursor,
  effectiveSort,
  encodeCursor,
  MAX_WINDOW,
  textNodes,
  type QueryNode,
  type ScrollRequest,
  type ScrollResult,
  type SearchBudget,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { facetAggregations, facetResults, type Aggregation } from './facets.js';
import { hitsOf, shownBy, sourceOf, type EngineHit } from './hits.js';
import { scopeQuery } from './query.js';
import type { Query } from './query-language.js';
import { rankedQuery } from './ranking.js';
import { placeAt, searchAfter, sortClauses } from './sorting.js';

interface Answer {
  hits: { total?: { value: number }; hits: EngineHit[] };
  aggregations?: Record<string, Aggregation>;
}

/** Carries out one search of the engine over the indices of a request. @param kept whether its answer is kept although it has hits */
export type Searcher = (body: object, kept?: boolean) => Promise<Answer>;

/**
 * Values in the filters of a request from which on the engine is longer at reading them, once for each search, than at all else:
 * access policies make such lists.
 */
const LONG_LISTS = 200;

/** What all pages of a walk have in common. */
type Shape = Omit<SearchRequest, 'start'>;

/** A page of hits in the order of their rank or of the sort keys, with the facets of all hits. */
export async function searchPage(
  search: Searcher,
  request: SearchRequest,
  places: Places,
  schema: SearchSchema,
  budget?: SearchBudget,
): Promise<SearchResult> {
  const { start, count } = request;
  const size = Math.max(0, Math.min(count, MAX_WINDOW - start));
  const keys = effectiveSort(request.sort);
  const within = scopeQuery(request, places);
  const ranked = keys.length === 0 && textNodes(request.query).length > 0;
  const page = size > 0 && {
    query: ranked ? rankedQuery(request, places, schema.named(request.entities)) : within,
    sort: ranked ? [{ _score: 'desc' }, { urn: 'asc' }] : sortClauses(keys, places),
    from: start,
    size,
  };
  const answer = await asked(search, request, places, within, page);
  return resultOf(answer, answer.hits.hits, request, places, schema, budget);
}

/** A page of a walk in the order of the sort keys or of URNs, and where it goes on. */
export async function scrollPage(
  search: Searcher,
  request: ScrollRequest,
  places: Places,
  schema: SearchSchema,
  budget?: SearchBudget,
): Promise<ScrollResult> {
  const keys = effectiveSort(request.sort);
  const after = request.after === undefined ? undefined : decodeCursor(request.after, keys);
  const within = scopeQuery(request, places);
  const answer = await asked(search, request, places, within, {
    query: within,
    sort: sortClauses(keys, places),
    // One more than asked for tells whether there is a next page.
    size: Math.min(request.count + 1, MAX_WINDOW),
    ...(after && { search_after: searchAfter(after, keys, places) }),
  });
  const page = answer.hits.hits.slice(0, request.count);
  const result = await resultOf(answer, page, request, places, schema, budget);
  const last = page.at(-1);
  if (answer.hits.hits.length <= page.length || !last) return result;
  return { ...result, next: encodeCursor(placeAt(last.sort ?? [], sourceOf(last).urn, keys, places), keys) };
}

/**
 * The hits of a page, and of all hits the number and the facets. Facets are a search of their own, without hits: the
 * engine keeps the answers of those until something is written, whichever page they are asked for with. Where that costs more than it
 * saves, the first page comes with them, and is kept as well.
 */
async function asked(
  search: Searcher,
  request: Shape,
  places: Places,
  within: Query,
  page: (Record<string, unknown> & { query: Query }) | false,
): Promise<Answer> {
  const aggs = facetAggregations(request.facets, request.maxFacetValues, places);
  const counts = { query: within, size: 0, track_total_hits: true, ...(aggs && { aggs }) };
  if (!page) return search(counts);
  const body = request.fetch !== undefined || (request.matchedFields && request.query.op !== 'all');
  const shown = shownBy(body ? ['urn', 'entity', 'body'] : ['urn', 'entity']);
  if (!aggs) return search({ ...page, ...shown, track_total_hits: true });
  if (page['from'] === 0 && page.query === within && valuesIn(request.filter) >= LONG_LISTS)
    return search({ ...page, ...shown, track_total_hits: true, aggs }, true);
  const [{ hits }, { hits: all, aggregations }] = await Promise.all([
    search({ ...page, ...shown, track_total_hits: false }),
    search(counts),
  ]);
  return { hits: { ...all, hits: hits.hits }, ...(aggregations && { aggregations }) };
}

/** How many values the tests of a filter have. */
function valuesIn(node: QueryNode): number {
  if (node.op === 'and' || node.op === 'or')
    return node.nodes.reduce((sum, child) => sum + valuesIn(child), 0);
  if (node.op === 'not' || node.op === 'shared') return valuesIn(node.node);
  return node.op === 'field' && node.test.is === 'equal' ? node.test.values.length : 0;
}

async function resultOf(
  { hits, aggregations }: Answer,
  page: readonly EngineHit[],
  request: Shape,
  places: Places,
  schema: SearchSchema,
  budget?: SearchBudget,
): Promise<SearchResult> {
  const queried = request.matchedFields ? schema.queried(request.entities) : [];
  return {
    total: hits.total?.value ?? 0,
    hits: await hitsOf(page.map(sourceOf), request, queried, budget),
    facets: facetResults(request.facets, request.maxFacetValues, aggregations, places),
  };
}
