import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { CurrentPrincipal, RequestContext, Searches } from '../graphql/index.js';
import {
  AggregateAcrossEntitiesInput,
  ScrollAcrossEntitiesInput,
  SearchAcrossEntitiesInput,
  SearchInput,
} from './search.inputs.js';
import { AggregateResults, ScrollResults, SearchResults } from './search.types.js';
import { SearchPages } from './search-pages.js';
import { facet } from './search-results.types.js';

/** Search, walks over all hits, and counts of values. */
@Resolver()
export class SearchResolver extends SearchPages {
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
  @Query(() => SearchResults, {
    nullable: true,
    description:
      'The service has no search by meaning: this finds by words, as searchAcrossEntities does, with the same answer.',
  })
  semanticSearchAcrossEntities(
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
  scrollAcrossEntities(
    @Context() context: RequestContext,
    @Args('input', { type: () => ScrollAcrossEntitiesInput }) input: ScrollAcrossEntitiesInput,
  ): Promise<ScrollResults> {
    return this.scrollPage(context, input, '/types');
  }

  @Searches('aggregate')
  @Query(() => AggregateResults, { nullable: true, description: 'Counts the values of fields.' })
  async aggregateAcrossEntities(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => AggregateAcrossEntitiesInput }) input: AggregateAcrossEntitiesInput,
  ): Promise<AggregateResults> {
    const asked = await this.asked(principal, context, input, '/types');
    const fields = (input.facets ?? []).filter((field) => field !== null);
    const { facets } = await this.service.search(principal, {
      ...asked,
      ...(fields.length > 0 && { facets: fields }),
      flags: { ...asked.flags, skipAggregates: false, skipHighlighting: true },
      start: 0,
      count: 0,
    });
    return { facets: facets.map((found) => facet(found, this.titles(asked.entities), context)) };
  }
}
