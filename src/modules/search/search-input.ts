import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { isRecord } from '../../catalog/model/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import {
  DEFAULT_COUNT,
  DEFAULT_FACET_VALUES,
  MAX_WINDOW,
  NO_FILTER,
  parseFilter,
  type SearchFilter,
  type SortKey,
} from '../../catalog/search/index.js';

/** Switches of a search; names and defaults are those of the clients' `searchFlags`. */
export interface SearchFlags {
  maxAggValues: number;
  skipHighlighting: boolean;
  skipAggregates: boolean;
  includeSoftDeleted: boolean;
  /** Counts the values of the properties that are offered as search filters, too. */
  includeStructuredPropertyFacets: boolean;
  fetchExtraFields: readonly string[];
}

export const DEFAULT_FLAGS: SearchFlags = {
  maxAggValues: DEFAULT_FACET_VALUES,
  skipHighlighting: false,
  skipAggregates: false,
  includeSoftDeleted: false,
  includeStructuredPropertyFacets: false,
  fetchExtraFields: [],
};

/** JSON pointers of the parts of a search in the request, for what is refused. */
export interface InputPointers {
  input: string;
  count: string;
  sort: string;
  facets: string;
  fetch: string;
}

/** As the aspect API names them. */
export const ACTION_POINTERS: InputPointers = {
  input: '/input',
  count: '/count',
  sort: '/sortCriteria',
  facets: '/searchFlags',
  fetch: '/searchFlags/fetchExtraFields',
};

/** As GraphQL names them. */
export const GRAPHQL_POINTERS: InputPointers = {
  input: '/query',
  count: '/count',
  sort: '/sortInput',
  facets: '/facets',
  fetch: '/searchFlags/fetchExtraFields',
};

/** What is searched, by whichever surface. */
export interface ScopeInput {
  /** Names of entity types, in any case; none: the default ones. */
  entities: readonly string[];
  /** JSON pointer of the entity names in the request. */
  entitiesPointer: string;
  /** Where the other parts stand; default {@link ACTION_POINTERS}. */
  at?: InputPointers;
  /** What was typed: text, `*`, or `<field>:<value>`. */
  input: string;
  /** Where the input stands in the request, when it is of the query language instead. */
  queryPointer?: string;
  filter: SearchFilter;
  includeSoftDeleted: boolean;
  /** Ends the work: no further question is put to the index. Its reason is a CatalogError. */
  signal?: AbortSignal;
}

export interface SearchInput extends ScopeInput {
  sort: readonly SortKey[];
  start: number;
  count: number;
  flags: SearchFlags;
  /** Names of facets; undefined: those that the model marks. */
  facets?: readonly string[];
}

export interface ScrollInput extends Omit<SearchInput, 'start'> {
  scrollId?: string;
}

/** Which entity types an action is about. */
export function readScope(parameters: Parameters, many: boolean, input: string): ScopeInput {
  const flags = readFlags(parameters.get('searchFlags'));
  return {
    entities: many ? readNames(parameters.get('entities'), 'entities') : [parameters.text('entity')],
    entitiesPointer: many ? '/entities' : '/entity',
    input,
    filter:
      parameters.get('filter') === undefined ? NO_FILTER : parseFilter(parameters.get('filter'), '/filter'),
    includeSoftDeleted: flags.includeSoftDeleted,
  };
}

export function readSearch(parameters: Parameters, many: boolean, input: string): SearchInput {
  const start = parameters.integer('start') ?? 0;
  const count = Math.min(parameters.integer('count') ?? DEFAULT_COUNT, MAX_WINDOW);
  return {
    ...readScope(parameters, many, input),
    sort: readSort(parameters),
    ...inWindow(start, count),
    flags: readFlags(parameters.get('searchFlags')),
  };
}

/**
 * A page within the first 10,000 hits; a longer one is cut there.
 * @throws CatalogError PARAMETER_INVALID when it begins beyond them
 */
export function inWindow(start: number, count: number, pointer = '/start'): { start: number; count: number } {
  if (start >= MAX_WINDOW) {
    throw refuse(
      'PARAMETER_INVALID',
      `a search reaches the first ${MAX_WINDOW} hits; beyond them, scroll`,
      pointer,
    );
  }
  return { start, count: Math.min(count, MAX_WINDOW - start) };
}

/** The older `sort` is one criterion, `sortCriteria` several; the latter wins. */
function readSort(parameters: Parameters): SortKey[] {
  const many = parameters.get('sortCriteria');
  const one = parameters.get('sort');
  if (many === undefined) return one === undefined ? [] : [readSortKey(one, '/sort')];
  if (!Array.isArray(many))
    throw refuse('PARAMETER_INVALID', '"sortCriteria" must be a list', '/sortCriteria');
  return many.map((key, i) => readSortKey(key, `/sortCriteria/${i}`));
}

function readSortKey(value: unknown, pointer: string): SortKey {
  if (!isRecord(value)) throw refuse('PARAMETER_INVALID', 'a sort criterion must be an object', pointer);
  const { field, order } = value;
  if (typeof field !== 'string' || field === '') {
    throw refuse('PARAMETER_INVALID', '"field" must name the field to sort by', `${pointer}/field`);
  }
  if (order !== undefined && order !== null && order !== 'ASCENDING' && order !== 'DESCENDING') {
    throw refuse('PARAMETER_INVALID', '"order" must be ASCENDING or DESCENDING', `${pointer}/order`);
  }
  return { field, descending: order === 'DESCENDING' };
}

/** Flags that change nothing here (caching, rewriting) are taken and ignored. */
function readFlags(value: unknown): SearchFlags {
  if (value === undefined) return DEFAULT_FLAGS;
  if (!isRecord(value)) throw refuse('PARAMETER_INVALID', '"searchFlags" must be an object', '/searchFlags');
  try {
    const flags = Parameters.of(value);
    return {
      maxAggValues: flags.integer('maxAggValues', 1, MAX_WINDOW) ?? DEFAULT_FACET_VALUES,
      skipHighlighting: flags.flag('skipHighlighting') ?? false,
      skipAggregates: flags.flag('skipAggregates') ?? false,
      includeSoftDeleted: flags.flag('includeSoftDeleted') ?? false,
      includeStructuredPropertyFacets: flags.flag('includeStructuredPropertyFacets') ?? false,
      fetchExtraFields: readNames(flags.get('fetchExtraFields'), 'fetchExtraFields'),
    };
  } catch (error) {
    throw below(error, '/searchFlags');
  }
}

function readNames(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((v): v is string => typeof v === 'string')) {
    throw refuse('PARAMETER_INVALID', `"${name}" must be a list of names`, `/${name}`);
  }
  return value;
}

function below(error: unknown, pointer: string): unknown {
  return error instanceof CatalogError ? error.below(pointer) : error;
}
