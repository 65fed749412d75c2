import { refuse } from '../../catalog/errors/index.js';
import { sliceOf, type Slice } from '../../catalog/route/index.js';
import {
  DEFAULT_COUNT,
  DEFAULT_FACET_VALUES,
  MAX_WINDOW,
  NO_FILTER,
  parseFilter,
  parseSortCriterion,
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
  /** Which fields hits name as those that matched; none: any of them. */
  customHighlightingFields: readonly string[];
}

export const DEFAULT_FLAGS: SearchFlags = {
  maxAggValues: DEFAULT_FACET_VALUES,
  skipHighlighting: false,
  skipAggregates: false,
  includeSoftDeleted: false,
  includeStructuredPropertyFacets: false,
  fetchExtraFields: [],
  customHighlightingFields: [],
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
  /** What was typed: text, `*`, `<field>:<value>`, or, behind `/q `, a query of the query language. */
  input: string;
  /** Where the input stands in the request, when it is of the query language instead. */
  queryPointer?: string;
  filter: SearchFilter;
  includeSoftDeleted: boolean;
  /** Leaves out what a version set has a later version of; default false. */
  latestOnly?: boolean;
  /** Ends the work: no further question is put to the index. Its reason is a CatalogError. */
  signal?: AbortSignal;
}

export interface SearchInput extends ScopeInput {
  sort: readonly SortKey[];
  /** Whether sorting by what is no field is refused. */
  knownSortOnly?: boolean;
  start: number;
  count: number;
  flags: SearchFlags;
  /** Names of facets; undefined: those that the model marks. */
  facets?: readonly string[];
}

export interface ScrollInput extends Omit<SearchInput, 'start'> {
  scrollId?: string;
  /** Which part of the walk the surface shows; another part is another walk. */
  slice?: Slice;
}

/** What all pages of a scroll have in common, as text: a scroll id is good for no other. The size of pages, flags and facets may change. */
export function walkOf(input: ScrollInput, entities: readonly string[]): string {
  const { input: text, filter, sort, includeSoftDeleted, slice, queryPointer } = input;
  const language = queryPointer === undefined ? ['typed'] : [];
  return JSON.stringify([
    ...[entities.toSorted(), text, filter, sort, includeSoftDeleted],
    ...[slice, ...language, ...versionsInWalk(input)],
  ]);
}

/** What a walk says of versions: nothing by default, so that walks of before there was a default go on. */
export function versionsInWalk({ latestOnly }: Pick<ScopeInput, 'latestOnly'>): string[] {
  return latestOnly === false ? ['versions'] : [];
}

/** The parameters that every search of the aspect API has, of one type of entities or several. */
interface ScopeValues {
  entity?: string;
  entities?: readonly string[];
  filter?: unknown;
  searchFlags?: Partial<SearchFlags> & {
    filterNonLatestVersions?: boolean;
    includeDefaultFacets?: boolean;
    sliceOptions?: Partial<Slice>;
  };
}

interface SearchValues extends ScopeValues {
  sort?: unknown;
  sortCriteria?: unknown;
  start?: number;
  count?: number;
}

/** What says in the search box that the rest is of the query language; some clients escape its slash. */
const LANGUAGE_MARK = /^\s*\\?\/q\s/;

/** The input as a query of the query language, and where it stands; undefined when it is none. */
export function inQueryLanguage(
  { input, queryPointer }: Pick<ScopeInput, 'input' | 'queryPointer'>,
  pointer: string,
): { text: string; pointer: string } | undefined {
  if (queryPointer !== undefined) return { text: input, pointer: queryPointer };
  const mark = LANGUAGE_MARK.exec(input)?.[0];
  // Blanks in its place: what is wrong is found where it was typed.
  return mark === undefined ? undefined : { text: input.replace(mark, ' '.repeat(mark.length)), pointer };
}

/**
 * Which entities an action is about.
 * @param searches whether earlier versions are left out unless the flags say otherwise
 */
export function readScope(values: ScopeValues, input: string, searches: boolean): ScopeInput {
  const { entity, entities = [], filter, searchFlags } = values;
  return {
    entities: entity === undefined ? entities : [entity],
    entitiesPointer: entity === undefined ? '/entities' : '/entity',
    input,
    filter: filter === undefined ? NO_FILTER : parseFilter(filter, '/filter'),
    includeSoftDeleted: searchFlags?.includeSoftDeleted ?? false,
    latestOnly: searchFlags?.filterNonLatestVersions ?? searches,
  };
}

export function readSearch(values: SearchValues, input: string): SearchInput {
  const { start = 0, count = DEFAULT_COUNT, searchFlags } = values;
  return {
    ...readScope(values, input, true),
    sort: readSort(values),
    ...inWindow(start, Math.min(count, MAX_WINDOW)),
    flags: { ...DEFAULT_FLAGS, ...searchFlags },
    ...(searchFlags?.includeDefaultFacets === false && { facets: [] }),
  };
}

/** The part of the walk that is asked for. @throws CatalogError PARAMETER_INVALID */
export function readSlice({ searchFlags }: ScopeValues): Slice | undefined {
  const { id, max } = searchFlags?.sliceOptions ?? {};
  return sliceOf({ name: 'id', value: id }, { name: 'max', value: max }, '/searchFlags/sliceOptions/id');
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
function readSort({ sortCriteria: many, sort: one }: SearchValues): SortKey[] {
  if (many === undefined) return one === undefined ? [] : [parseSortCriterion(one, '/sort')];
  if (!Array.isArray(many))
    throw refuse('PARAMETER_INVALID', '"sortCriteria" must be an array', '/sortCriteria');
  return many.map((key, i) => parseSortCriterion(key, `/sortCriteria/${i}`));
}
