import {
  asksForMatches,
  decodeCursor,
  effectiveSort,
  encodeCursor,
  MAX_WINDOW,
  textNodes,
  type ScrollRequest,
  type ScrollResult,
  type SearchBudget,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { facetAggregations, facetResults, type Aggregation } from './facets.js';
import { hitsOf, Shown, type EngineHit, type Source } from './hits.js';
import { scopeQuery } from './query.js';
import type { Query } from './query-language.js';
import { rankedQuery } from './ranking.js';
import { placeAt, searchAfter, sortClauses, type Sort } from './sorting.js';

interface Answer {
  hits: { total?: { value: number }; hits: EngineHit[] };
  aggregations?: Record<string, Aggregation>;
}

/** Carries out one search of the engine over the indices of a request. @param kept whether its answer is kept although it has hits */
export type Searcher = (body: object, kept?: boolean) => Promise<Answer>;

/** The most hits of an answer that the engine is to keep: many would take the room of others. */
const MAX_KEPT = 100;

/** What all pages of a walk have in common. */
type Shape = Omit<SearchRequest, 'start'>;

/** Which hits a page has. */
interface Page extends Record<string, unknown> {
  query: Query;
  sort: Sort[];
  size: number;
}

/** The answer of the engine, and what the hits of the page are. */
interface Found {
  answer: Answer;
  page: Hit[];
}

type Hit = Source & Pick<EngineHit, 'sort'>;

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
  return resultOf(await asked(search, request, places, within, page), request, places, schema, budget);
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
  const { answer, page: found } = await asked(search, request, places, within, {
    query: within,
    sort: sortClauses(keys, places),
    // One more than asked for tells whether there is a next page.
    size: Math.min(request.count + 1, MAX_WINDOW),
    ...(after && { search_after: searchAfter(after, keys, places) }),
  });
  const page = found.slice(0, request.count);
  const result = await resultOf({ answer, page }, request, places, schema, budget);
  const last = page.at(-1);
  if (found.length <= page.length || !last) return result;
  return { ...result, next: encodeCursor(placeAt(last.sort, last.urn, keys, places), keys) };
}

/**
 * The hits of a page, and of all hits the number and the facets. The first page without ranking comes with them: one pass over the hits,
 * whose answer the engine keeps until something is written. Otherwise facets are a search of their own, without hits, which is kept
 * whichever page they are asked for with and not ranked.
 */
async function asked(
  search: Searcher,
  request: Shape,
  places: Places,
  within: Query,
  page: Page | false,
): Promise<Found> {
  const aggs = facetAggregations(request.facets, request.maxFacetValues, places);
  const counts = { query: within, size: 0, track_total_hits: true, ...(aggs && { aggs }) };
  if (!page) return { answer: await search(counts), page: [] };
  const body = request.fetch !== undefined || asksForMatches(request);
  const shown = new Shown(request, page.sort, body ? 'body' : []);
  const found = (answer: Answer, { hits }: Answer): Found => ({
    answer,
    page: hits.hits.map((hit) => ({ ...shown.sourceOf(hit), sort: hit.sort })),
  });
  const searched = { ...page, ...shown.asked, track_total_hits: true };
  if (!aggs) {
    const answer = await search(searched);
    return found(answer, answer);
  }
  if (page['from'] === 0 && page.size <= MAX_KEPT && page.query === within) {
    const answer = await search({ ...searched, aggs }, true);
    return found(answer, answer);
  }
  const [hits, all] = await Promise.all([search({ ...searched, track_total_hits: false }), search(counts)]);
  return found(all, hits);
}

async function resultOf(
  { answer: { hits, aggregations }, page }: Found,
  request: Shape,
  places: Places,
  schema: SearchSchema,
  budget?: SearchBudget,
): Promise<SearchResult> {
  const queried = request.matchedFields ? schema.queried(request.entities) : [];
  return {
    total: hits.total?.value ?? 0,
    hits: await hitsOf(page, request, queried, budget),
    facets: facetResults(request.facets, request.maxFacetValues, aggregations, places),
  };
}
