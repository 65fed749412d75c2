import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import {
  readSort,
  SearchAcrossEntitiesInput,
  SearchPages,
  SearchResults,
  type SearchSortInput,
} from '../search/graphql.js';
import { VersionSet } from './versions.types.js';

const LATEST_FIRST: SearchSortInput = {
  sortCriteria: [{ field: 'versionSortId', sortOrder: 'DESCENDING' }],
};

/** What is in a set of versions. */
@Resolver(() => VersionSet)
export class VersionsSearchResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, {
    nullable: true,
    description:
      'Finds entities that are versions of it, all of them by default; the latest comes first where no order is asked for.',
  })
  versionsSearch(
    @Parent() set: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ): Promise<SearchResults> {
    const filters = [...(input.filters ?? []), { field: 'versionSet', values: [set.urn] }];
    const order = readSort(input.sortInput).length === 0 && { sortInput: LATEST_FIRST };
    return this.page(context.principal, context, { ...input, filters, ...order }, '/types', false);
  }
}
