import { Args, Context, Field, InputType, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, FacetFilterInput, RequestContext, Searches } from '../graphql/index.js';
import { SearchPages, SearchResults } from '../search/graphql.js';
import { Domain } from './domains.types.js';

@InputType('DomainEntitiesInput', { description: 'What to look for among the entities of a domain.' })
class DomainEntitiesInput {
  @Field(() => String, { nullable: true, description: 'Text to look for; everything when absent.' })
  query?: string | null;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
}

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
    const filters = [...(input?.filters ?? []), { field: 'domains', values: [domain.urn] }];
    const query = input?.query ?? '*';
    return this.page(context.principal, context, { ...input, query, filters }, '/types');
  }
}
