import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { FacetFilterInput, readCount, readPageSize, RequestContext } from '../graphql/index.js';
import { DEFAULT_FLAGS, GRAPHQL_POINTERS, inWindow, type SearchInput } from './search-input.js';
import { AndFilterInput, readFilter, readSort, type SortCriterion } from './search-request.inputs.js';
import type { SearchService } from './search.service.js';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

/** What lists of one type of entities take. */
@InputType({ isAbstract: true })
export abstract class ListInput {
  @Field(() => Int, { nullable: true, description: 'How many to leave out, default 0.' })
  start?: number | null;
  @Field(() => Int, { nullable: true, description: 'How many to list, at most 1000, default 20.' })
  count?: number | null;
  @Field(() => String, { nullable: true, description: 'Text to look for; all of them when absent.' })
  query?: string | null;
}

/** What pages of one type of entities answer besides the entities. */
@ObjectType({ isAbstract: true })
export abstract class ListedPage {
  @Field(() => Int, { description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many there are.' }) total!: number;
}

interface Asked extends ListInput {
  filters?: FacetFilterInput[] | null;
  orFilters?: AndFilterInput[] | null;
  sort?: SortCriterion | null;
}

interface ListPage {
  start: number;
  count: number;
  total: number;
  urns: string[];
}

/**
 * One page of the entities of a type, from the search index; soft-deleted ones are left out.
 * @throws CatalogError PARAMETER_INVALID, FILTER_INVALID, SEARCH_UNAVAILABLE
 */
export async function listEntities(
  search: SearchService,
  { principal, signal }: RequestContext,
  entity: string,
  asked: Asked,
): Promise<ListPage> {
  const start = readCount(asked.start, 0, '/start');
  const count = readPageSize(asked.count, DEFAULT_COUNT, '/count', MAX_COUNT);
  const input: SearchInput = {
    entities: [entity],
    entitiesPointer: '',
    at: GRAPHQL_POINTERS,
    ...(signal && { signal }),
    input: (asked.query ?? '').trim() || '*',
    filter: readFilter(asked.orFilters, asked.filters),
    includeSoftDeleted: false,
    sort: readSort({ sortCriterion: asked.sort ?? null }),
    flags: { ...DEFAULT_FLAGS, skipAggregates: true, skipHighlighting: true },
    ...inWindow(start, count, '/start'),
  };
  const { hits, total } = await search.search(principal, input);
  return { start, count: hits.length, total, urns: hits.map(({ urn }) => urn) };
}
