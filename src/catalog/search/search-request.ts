import type { FieldValue, QueryNode } from './search-query.js';

/** How many hits one page may reach; beyond it, scroll. */
export const MAX_WINDOW = 10_000;
export const DEFAULT_COUNT = 10;
export const DEFAULT_FACET_VALUES = 20;

export interface SortKey {
  field: string;
  descending: boolean;
}

/** A facet over one field, or over the values of a second field within each value of the first. */
export interface FacetRequest {
  /** The name it is answered under. */
  name: string;
  fields: readonly string[];
}

/** Which documents count, whatever is looked for. */
export interface SearchReach {
  /** Names of entity types in the model; at least one. */
  entities: readonly string[];
  /** Whether soft-deleted entities count. */
  includeRemoved: boolean;
  /** Whether versions that a later one of their set has replaced are left out; default false. */
  latestOnly?: boolean;
}

/** What every kind of search starts from. */
export interface SearchScope extends SearchReach {
  /** What was searched for; decides the order when no sort is given. */
  query: QueryNode;
  /** What hits must also satisfy, without weight on the order. */
  filter: QueryNode;
}

/**
 * A page of hits. Without `sort` the best match comes first, and equal ones in the order of their URNs; a search
 * for everything is in the order of URNs. Documents without a value of the sort field come last.
 * An aggregation is a search with `count: 0` and facets.
 */
export interface SearchRequest extends SearchScope {
  sort?: readonly SortKey[];
  start: number;
  count: number;
  facets: readonly FacetRequest[];
  /** The most values of each facet. */
  maxFacetValues: number;
  /** Whether hits say which fields the text was found in. */
  matchedFields: boolean;
  /** Names of fields to answer with each hit. */
  fetch?: readonly string[];
}

export interface FieldMatch {
  name: string;
  value: string;
}

export interface SearchHit {
  urn: string;
  entity: string;
  matchedFields: FieldMatch[];
  /** The fields asked for by `fetch`, those that the document has. */
  fields?: Record<string, FieldValue[]>;
}

export interface FacetValue {
  value: string;
  count: number;
}

/** Values by descending count, equal ones by value. */
export interface FacetResult {
  name: string;
  /** For people, where the model does not say it. */
  title?: string;
  values: FacetValue[];
}

export interface SearchResult {
  /** All hits, not only those of the page. */
  total: number;
  hits: SearchHit[];
  facets: FacetResult[];
}

/**
 * A page of a walk over all hits, each exactly once however much is written meanwhile to other documents.
 * The order is that of `sort`, else that of URNs.
 */
export interface ScrollRequest extends Omit<SearchRequest, 'start'> {
  /** Where the last page ended; absent for the first. */
  after?: string;
}

export interface ScrollResult extends SearchResult {
  /** The cursor of the next page; absent after the last page. */
  next?: string;
}

/** Completions of a text: values of the fields whose beginning, or a word's beginning in them, is the text. */
export interface AutocompleteRequest extends SearchScope {
  text: string;
  /** Fields to complete from. */
  fields: readonly string[];
  limit: number;
}

export interface Suggestion {
  text: string;
  /** The entity that has the text and counts most. */
  urn: string;
  entity: string;
  /** Others with the same text, those that count most first; so many as were looked at. */
  others: readonly string[];
}

/** One level of the tree that a browse path field spans. */
export interface BrowseRequest extends SearchScope {
  /** `browsePaths` or `browsePathV2`. */
  field: string;
  /** What stands between the parts of the field's values, and before the first. */
  separator: string;
  /** Parts of the path; empty at the root. */
  path: readonly string[];
  start: number;
  count: number;
}

export interface BrowseGroup {
  name: string;
  /** Entities below it. */
  count: number;
  hasSubGroups: boolean;
}

export interface BrowseResult {
  /** All groups of the level, by descending count, equal ones by name. */
  groups: BrowseGroup[];
  /** The page of those entities whose path is the one asked for, in the order of URNs. */
  entities: Array<{ urn: string; entity: string; name: string }>;
  /** How many such entities there are. */
  totalEntities: number;
  /** Entities at the path and anywhere below it. */
  totalBelow: number;
}
