import type {
  BrowseResult,
  FacetResult,
  ScrollResult,
  SearchResult,
  Suggestion,
} from '../../catalog/search/index.js';

/**
 * The answer of a search (specification, section B; `aggregations` for clients that read that name).
 * @param asObjects whether `entities` holds objects instead of URNs
 */
export function searchAnswer(result: SearchResult, from: number, pageSize: number, asObjects: boolean) {
  return { from, ...searchPage(result, pageSize, asObjects) };
}

export function scrollAnswer(result: ScrollResult, pageSize: number, asObjects: boolean) {
  return {
    ...searchPage(result, pageSize, asObjects),
    ...(result.next !== undefined && { scrollId: result.next }),
  };
}

/** What answers of searches have in common. */
export function searchPage({ total, hits, facets }: SearchResult, pageSize: number, asObjects: boolean) {
  const urns = hits.map((hit) => hit.urn);
  const found = facets
    .filter((facet) => facet.values.length > 0)
    .map(({ name, values }) => ({ name, values, aggregations: countsOf(values) }));
  return {
    numEntities: total,
    pageSize,
    metadata: {
      urns,
      matches: hits.map(({ matchedFields }) => ({ matchedFields })),
      searchResultMetadatas: found.map(({ name, aggregations }) => ({ name, aggregations })),
      aggregations: found.map(({ name, values, aggregations }) => ({
        name,
        aggregations,
        filterValues: values.map(({ value, count }) => ({ value, facetCount: count })),
      })),
    },
    entities: asObjects ? hits.map(({ urn, matchedFields }) => ({ entity: urn, matchedFields })) : urns,
  };
}

function countsOf(values: FacetResult['values']): Record<string, number> {
  return Object.fromEntries(values.map(({ value, count }) => [value, count]));
}

/** The entities of suggestions, those of one text together: one that several texts name is there once. */
export function namedBy(found: readonly Suggestion[], limit: number): string[] {
  return [...new Set(found.flatMap(({ urn, others }) => [urn, ...others]))].slice(0, limit);
}

export function autocompleteAnswer(suggestions: readonly Suggestion[], query: string, limit: number) {
  return {
    query,
    suggestions: suggestions.map(({ text }) => text),
    entities: namedBy(suggestions, limit).map((urn) => ({ urn })),
  };
}

/**
 * One level of a browse tree. Groups and entities share one page, the groups first; `result` holds the entities
 * from the first one to the end of the page.
 */
export function browseAnswer(
  result: BrowseResult,
  path: string,
  start: number,
  limit: number,
  countsGroups = false,
) {
  const groups = result.groups.slice(start, start + limit).map(({ name, count }) => ({ name, count }));
  const from = Math.max(0, start - result.groups.length);
  const entities = result.entities.slice(from, from + limit - groups.length);
  return {
    entities: entities.map(({ name, urn }) => ({ name, urn })),
    groups,
    metadata: {
      path,
      totalNumEntities: countsGroups
        ? result.groups.reduce((sum, { count }) => sum + count, 0)
        : result.totalBelow,
      groups,
    },
    from: start,
    pageSize: limit,
    numEntities: result.totalEntities,
    numGroups: result.groups.length,
    numElements: result.groups.length + result.totalEntities,
  };
}
