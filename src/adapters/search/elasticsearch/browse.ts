import {
  compareTexts,
  displayNameOf,
  MAX_WINDOW,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
  type FieldValue,
} from '../../../catalog/search/index.js';
import { placeKey } from './browse-terms.js';
import type { Places } from './columns.js';
import { scopeQuery } from './query.js';

/** The most groups of one level. */
const MAX_GROUPS = 10_000;

interface Answer {
  hits: { hits: Array<{ _source: { urn: string; entity: string; body: string } }> };
  aggregations?: {
    groups: { buckets: Array<{ key: string; doc_count: number }> };
    deeper: { buckets: Array<{ key: string }> };
    here: { doc_count: number };
    below: { doc_count: number };
  };
}

/** One level of the tree: what stands at the path, and what the next parts below it lead to. */
export async function browseLevel(
  search: (body: object) => Promise<Answer>,
  request: BrowseRequest,
  places: Places,
): Promise<BrowseResult> {
  const place = placeKey(request.field, request.path);
  const [groupHead, deeperHead] = [`g:${place}:`, `d:${place}:`];
  const here = { term: { paths: `e:${place}` } };
  const size = Math.max(0, Math.min(request.count, MAX_WINDOW - request.start));
  const listed = (head: string) => ({ terms: { field: 'paths', include: `${head}.*`, size: MAX_GROUPS } });
  const { hits, aggregations } = await search({
    query: scopeQuery(request, places),
    post_filter: here,
    sort: [{ urn: 'asc' }],
    from: size === 0 ? 0 : request.start,
    size,
    _source: ['urn', 'entity', 'body'],
    track_total_hits: false,
    aggs: {
      groups: listed(groupHead),
      deeper: listed(deeperHead),
      here: { filter: here },
      below: { filter: { term: { paths: `b:${place}` } } },
    },
  });
  const deeper = new Set(aggregations?.deeper.buckets.map(({ key }) => key.slice(deeperHead.length)));
  const groups = (aggregations?.groups.buckets ?? []).map(({ key, doc_count: count }): BrowseGroup => {
    const name = key.slice(groupHead.length);
    return { name, count, hasSubGroups: deeper.has(name) };
  });
  groups.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  return {
    groups,
    entities: hits.hits.map(({ _source: { urn, entity, body } }) => ({
      urn,
      entity,
      name: displayNameOf({ urn, fields: JSON.parse(body) as Record<string, FieldValue[]> }),
    })),
    totalEntities: aggregations?.here.doc_count ?? 0,
    totalBelow: aggregations?.below.doc_count ?? 0,
  };
}
