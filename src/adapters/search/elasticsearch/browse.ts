import {
  compareTexts,
  displayNameOf,
  MAX_WINDOW,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
} from '../../../catalog/search/index.js';
import { groupColumns, placeKey } from './browse-terms.js';
import type { Places } from './columns.js';
import { fieldsOf, Shown, type EngineHit } from './hits.js';
import { scopeQuery } from './query.js';
import { every } from './query-language.js';

/** The most groups of one level. */
const MAX_GROUPS = 10_000;

interface Answer {
  hits: { total?: { value: number }; hits: EngineHit[] };
  aggregations?: {
    groups: { buckets: Array<{ key: string; doc_count: number }> };
    deeper: { buckets: Array<{ key: string }> };
    here: { doc_count: number };
  };
}

/** One level of the tree: what stands at the path, and what the next parts below it lead to. */
export async function browseLevel(
  search: (body: object) => Promise<Answer>,
  request: BrowseRequest,
  places: Places,
): Promise<BrowseResult> {
  const place = placeKey(request.field, request.path);
  const scope = scopeQuery(request, places);
  const here = { term: { paths: `e:${place}` } };
  const size = Math.max(0, Math.min(request.count, MAX_WINDOW - request.start));
  const column = groupColumns(request.path.length);
  const listed = (field: string) => ({ terms: { field, include: `${place}:.*`, size: MAX_GROUPS } });
  const sort = [{ urn: 'asc' }];
  const shown = new Shown(request, sort, 'body');
  // The engine keeps the answers of searches without hits until something is written.
  const [counts, page] = await Promise.all([
    search({
      query: every([scope, { term: { paths: `b:${place}` } }]),
      size: 0,
      track_total_hits: true,
      aggs: { groups: listed(column.groups), deeper: listed(column.deeper), here: { filter: here } },
    }),
    size > 0 &&
      search({
        query: every([scope, here]),
        sort,
        from: request.start,
        size,
        ...shown.asked,
        track_total_hits: false,
      }),
  ]);
  const { aggregations } = counts;
  const nameOf = (key: string): string => key.slice(place.length + 1);
  const deeper = new Set(aggregations?.deeper.buckets.map(({ key }) => nameOf(key)));
  const groups = (aggregations?.groups.buckets ?? []).map(({ key, doc_count: count }): BrowseGroup => {
    const name = nameOf(key);
    return { name, count, hasSubGroups: deeper.has(name) };
  });
  groups.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  const entities = (page ? page.hits.hits : []).map((hit) => {
    const source = shown.sourceOf(hit);
    const { urn, entity } = source;
    return { urn, entity, name: displayNameOf({ urn, fields: fieldsOf(source) }) };
  });
  return {
    groups,
    entities,
    totalEntities: aggregations?.here.doc_count ?? 0,
    totalBelow: counts.hits.total?.value ?? 0,
  };
}
