import { Args, Context, InputType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import { MembersInput, SearchPages, SearchResults } from '../search/graphql.js';
import { Domain } from './domains.types.js';

@InputType('DomainEntitiesInput', { description: 'What to look for among the entities of a domain.' })
class DomainEntitiesInput extends MembersInput {}

/** What belongs to a domain. */
@Resolver(() => Domain)
export class DomainMembersResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, {
    nullable: true,
    description: 'Entities that were put into the domain itself, not into those below it.',
  })
  entities(
    @Parent() domain: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => DomainEntitiesInput, nullable: true }) input?: DomainEntitiesInput | null,
  ): Promise<SearchResults> {
    return this.membersOf(context, { field: 'domains', urn: domain.urn }, input);
  }
}
