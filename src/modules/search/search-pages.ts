import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { checkDuration } from '../../catalog/route/index.js';
import {
  DEFAULT_COUNT,
  facetTitle,
  MAX_WINDOW,
  NESTED_FACET,
  SearchSchema,
  type FacetResult,
} from '../../catalog/search/index.js';
import { EntityReader } from '../entities/index.js';
import {
  readCount,
  readPageSize,
  readTypes,
  type FacetFilterInput,
  type RequestContext,
} from '../graphql/index.js';
import { GRAPHQL_POINTERS, inWindow, type SearchInput as ServiceInput } from './search-input.js';
import { readFilter, readSearchFlags, readSort } from './search-request.inputs.js';
import { facet, searchResult } from './search-results.types.js';
import type { MembersInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput } from './search.inputs.js';
import { SearchService } from './search.service.js';
import type { ScrollResults, SearchResults } from './search.types.js';
import { withinView } from './view.js';

/** What resolvers that search have in common: from input to a page of hits. */
@Injectable()
export abstract class SearchPages {
  constructor(
    protected readonly service: SearchService,
    private readonly schema: SearchSchema,
    protected readonly model: Model,
    protected readonly reader: EntityReader,
  ) {}

  /**
   * One page of hits.
   * @param typesAt where the types stand in the request
   * @param latestByDefault see {@link readSearchFlags}, likewise below
   */
  protected async page(
    principal: Principal,
    context: RequestContext,
    input: Omit<SearchAcrossEntitiesInput, 'viewUrn'> & { viewUrn?: string | null },
    typesAt: string,
    latestByDefault = true,
  ): Promise<SearchResults> {
    const start = readCount(input.start, 0, '/start');
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW);
    const asked = await this.asked(principal, context, input, typesAt, latestByDefault);
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

  /** One page of a walk over all hits. @param typesAt where the types stand in the request */
  protected async scrollPage(
    context: RequestContext,
    input: ScrollAcrossEntitiesInput & { filters?: FacetFilterInput[] },
    typesAt: string,
  ): Promise<ScrollResults> {
    const { principal } = context;
    checkDuration(input.keepAlive, '/keepAlive');
    const asked = await this.asked(principal, context, input, typesAt);
    const { scrollId } = input;
    const result = await this.service.scroll(principal, {
      ...asked,
      count: readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW),
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

  /** One page of the entities that name another one in a field. */
  protected membersOf(
    context: RequestContext,
    owner: { field: string; urn: string },
    input: MembersInput | null | undefined,
  ): Promise<SearchResults> {
    const filters = [...(input?.filters ?? []), { field: owner.field, values: [owner.urn] }];
    const query = input?.query ?? '*';
    return this.page(context.principal, context, { ...input, query, filters }, '/types', false);
  }

  protected async asked(
    principal: Principal,
    { searchSignal: signal }: RequestContext,
    input: Omit<SearchAcrossEntitiesInput, 'start' | 'count'>,
    typesAt: string,
    latestByDefault = true,
  ): Promise<Omit<ServiceInput, 'start' | 'count'>> {
    const { latestOnly, ...flags } = readSearchFlags(input.searchFlags, latestByDefault);
    const asked = {
      entities: readTypes(input.types, this.model, typesAt),
      filter: readFilter(input.orFilters, input.filters),
    };
    return {
      ...(await withinView(this.reader, principal, input.viewUrn, asked)),
      entitiesPointer: typesAt,
      at: GRAPHQL_POINTERS,
      ...(signal && { signal }),
      input: input.query.trim() === '' ? '*' : input.query,
      includeSoftDeleted: flags.includeSoftDeleted,
      latestOnly,
      sort: readSort(input.sortInput),
      flags,
    };
  }

  /** Those of the model that the hits have values of. */
  protected facets(result: { facets: FacetResult[] }, entities: readonly string[], context: RequestContext) {
    const found = result.facets.filter(({ values }) => values.length > 0);
    return found.map((values) => facet(values, this.titles(entities), context));
  }

  protected titles(entities: readonly string[]): (field: string) => string | undefined {
    const known = this.schema.fields(entities.length > 0 ? entities : this.schema.entities);
    return (name) => {
      const fields = name.split(NESTED_FACET).flatMap((part) => known.get(part) ?? []);
      return fields.length > 0 ? fields.map(facetTitle).join(NESTED_FACET) : undefined;
    };
  }
}
