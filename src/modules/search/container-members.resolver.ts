import { Args, Context, InputType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Container, Entity, RequestContext, Searches } from '../graphql/index.js';
import { MembersInput } from './search.inputs.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

@InputType('ContainerEntitiesInput', { description: 'What to look for among the entities of a container.' })
class ContainerEntitiesInput extends MembersInput {}

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
    return this.membersOf(context, { field: 'container', urn: container.urn }, input);
  }
}
