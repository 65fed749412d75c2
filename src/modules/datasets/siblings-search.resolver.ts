import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches, typeNamed } from '../graphql/index.js';
import { ScrollAcrossEntitiesInput, ScrollResults, SearchPages } from '../search/graphql.js';

/** The same thing as a dataset, on other platforms. */
@Resolver(() => typeNamed('Dataset'))
export class SiblingsSearchResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => ScrollResults, {
    nullable: true,
    description: 'Walks over the entities that name it as their sibling.',
  })
  siblingsSearch(
    @Parent() dataset: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => ScrollAcrossEntitiesInput }) input: ScrollAcrossEntitiesInput,
  ): Promise<ScrollResults> {
    const filters = [{ field: 'siblings', values: [dataset.urn] }];
    return this.scrollPage(context, { ...input, filters }, '/types');
  }
}
