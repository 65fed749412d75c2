import { Args, Context, Field, InputType, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Container, Entity, FacetFilterInput, RequestContext, Searches } from '../graphql/index.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

@InputType('ContainerEntitiesInput', { description: 'What to look for among the entities of a container.' })
class ContainerEntitiesInput {
  @Field(() => String, { nullable: true, description: 'Text to look for; everything when absent.' })
  query?: string | null;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
}

/** What lies in a container. */
@Resolver(() => Container)
export class ContainerMembersResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, {
    nullable: true,
    description: 'Entities that lie in the container itself, not in those below it.',
  })
  entities(
    @Parent() container: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => ContainerEntitiesInput, nullable: true })
    input?: ContainerEntitiesInput | null,
  ): Promise<SearchResults> {
    const filters = [...(input?.filters ?? []), { field: 'container', values: [container.urn] }];
    const query = input?.query ?? '*';
    return this.page(context.principal, context, { ...input, query, filters }, '/types');
  }
}
