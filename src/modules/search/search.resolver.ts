import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import {
  DEFAULT_COUNT,
  facetTitle,
  MAX_WINDOW,
  SearchSchema,
  type FacetResult,
} from '../../catalog/search/index.js';
import { CurrentPrincipal, readCount, readTypes, RequestContext, Searches } from '../graphql/index.js';
import { EntityReader } from '../entities/index.js';
import { GRAPHQL_POINTERS, inWindow, type SearchInput as ServiceInput } from './search-input.js';
import {
  AggregateAcrossEntitiesInput,
  ScrollAcrossEntitiesInput,
  SearchAcrossEntitiesInput,
  SearchInput,
} from './search.inputs.js';
import { SearchService } from './search.service.js';
import { AggregateResults, ScrollResults, SearchResults } from './search.types.js';
import { readFilter, readSearchFlags, readSort } from './search-request.inputs.js';
import { facet, searchResult } from './search-results.types.js';
import { withinView } from './view.js';

/** Search, walks over all hits, and counts of values. */
@Resolver()
export class SearchResolver {
  constructor(
    private readonly service: SearchService,
    private readonly schema: SearchSchema,
    private readonly model: Model,
    private readonly reader: EntityReader,
  ) {}

  @Searches('search')
  @Query(() => SearchResults, { nullable: true, description: 'Finds entities of one type.' })
  search(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchInput }) { type, ...input }: SearchInput,
  ) {
    return this.page(principal, context, { ...input, types: [type] }, '/type');
  }

  @Searches('search')
  @Query(() => SearchResults, { nullable: true, description: 'Finds entities of several types.' })
  searchAcrossEntities(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ) {
    return this.page(principal, context, input, '/types');
  }

  @Searches('search')
  @Query(() => ScrollResults, {
    nullable: true,
    description: 'Walks over all hits page by page, each once, in the order of URNs or of a field.',
  })
  async scrollAcrossEntities(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => ScrollAcrossEntitiesInput }) input: ScrollAcrossEntitiesInput,
  ): Promise<ScrollResults> {
    const asked = await this.asked(principal, context, input, '/types');
    const { scrollId } = input;
    const result = await this.service.scroll(principal, {
      ...asked,
      count: readCount(input.count, DEFAULT_COUNT, '/count', 0, MAX_WINDOW),
      ...(scrollId === null || scrollId === undefined ? {} : { scrollId }),
    });
    return {
      nextScrollId: result.next ?? null,
      count: result.hits.length,
      total: result.total,
      searchResults: result.hits.map((hit) => searchResult(hit, context)),
      facets: this.facets(result, asked.entities, context),
    };
  }

  @Searches('aggregate')
  @Query(() => AggregateResults, { nullable: true, description: 'Counts the values of fields.' })
  async aggregateAcrossEntities(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => AggregateAcrossEntitiesInput }) input: AggregateAcrossEntitiesInput,
  ): Promise<AggregateResults> {
    const asked = await this.asked(principal, context, input, '/types');
    const { facets } = await this.service.search(principal, {
      ...asked,
      ...(input.facets ? { facets: input.facets } : {}),
      flags: { ...asked.flags, skipAggregates: false, skipHighlighting: true },
      start: 0,
      count: 0,
    });
    return { facets: facets.map((found) => facet(found, this.titles(asked.entities), context)) };
  }

  private async page(
    principal: Principal,
    context: RequestContext,
    input: Omit<SearchAcrossEntitiesInput, 'viewUrn'> & { viewUrn?: string | null },
    typesAt: string,
  ): Promise<SearchResults> {
    const start = readCount(input.start, 0, '/start');
    const count = readCount(input.count, DEFAULT_COUNT, '/count', 0, MAX_WINDOW);
    const asked = await this.asked(principal, context, input, typesAt);
    const result = await this.service.search(principal, {
      ...asked,
      ...inWindow(start, count, '/start'),
    });
    return {
      start,
      count: result.hits.length,
      total: result.total,
      searchResults: result.hits.map((hit) => searchResult(hit, context)),
      facets: this.facets(result, asked.entities, context),
      suggestions: [],
    };
  }

  private async asked(
    principal: Principal,
    { signal }: RequestContext,
    input: Omit<SearchAcrossEntitiesInput, 'start' | 'count'>,
    typesAt: string,
  ): Promise<Omit<ServiceInput, 'start' | 'count'>> {
    const flags = readSearchFlags(input.searchFlags);
    const asked = {
      entities: readTypes(input.types, this.model, typesAt),
      filter: readFilter(input.orFilters, input.filters),
    };
    return {
      ...(await withinView(this.reader, principal, input.viewUrn, asked)),
      entitiesPointer: typesAt,
      at: GRAPHQL_POINTERS,
      signal,
      input: input.query.trim() === '' ? '*' : input.query,
      includeSoftDeleted: flags.includeSoftDeleted,
      sort: readSort(input.sortInput),
      flags,
    };
  }

  /** Those of the model that the hits have values of. */
  private facets(result: { facets: FacetResult[] }, entities: readonly string[], context: RequestContext) {
    const found = result.facets.filter(({ values }) => values.length > 0);
    return found.map((values) => facet(values, this.titles(entities), context));
  }

  private titles(entities: readonly string[]): (field: string) => string | undefined {
    const known = this.schema.fields(entities.length > 0 ? entities : this.schema.entities);
    return (name) => {
      const field = known.get(name);
      return field && facetTitle(field);
    };
  }
}
