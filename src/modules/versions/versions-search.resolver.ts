import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import { SearchAcrossEntitiesInput, SearchPages, SearchResults } from '../search/graphql.js';
import { VersionSet } from './versions.types.js';

/** What is in a set of versions. */
@Resolver(() => VersionSet)
export class VersionsSearchResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, {
    nullable: true,
    description: 'Finds entities that are versions of it, all of them by default.',
  })
  versionsSearch(
    @Parent() set: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ): Promise<SearchResults> {
    const filters = [...(input.filters ?? []), { field: 'versionSet', values: [set.urn] }];
    return this.page(context.principal, context, { ...input, filters }, '/types', false);
  }
}
