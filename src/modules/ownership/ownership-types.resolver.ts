import { Args, Context, Field, InputType, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { Entity, FacetFilterInput, RequestContext, Searches } from '../graphql/index.js';
import { listEntities, ListInput } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { OwnershipTypeEntity } from './ownership.types.js';

@InputType('ListOwnershipTypesInput', { description: 'A page of the kinds of ownership.' })
class ListOwnershipTypesInput extends ListInput {
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
}

@ObjectType('ListOwnershipTypesResult', { description: 'A page of the kinds of ownership.' })
class ListOwnershipTypesResult {
  @Field(() => Int, { description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many there are.' }) total!: number;
  @Field(() => [OwnershipTypeEntity], { description: 'The kinds of ownership.' })
  ownershipTypes!: Entity[];
}

/** Kinds of ownership that are stored. */
@Resolver()
export class OwnershipTypesResolver {
  constructor(private readonly search: SearchService) {}

  @Searches('list')
  @Query(() => ListOwnershipTypesResult, {
    description: 'Kinds of ownership that are stored, found by name and description.',
  })
  async listOwnershipTypes(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListOwnershipTypesInput }) input: ListOwnershipTypesInput,
  ): Promise<ListOwnershipTypesResult> {
    const { urns, ...page } = await listEntities(this.search, context, 'ownershipType', input);
    return { ...page, ownershipTypes: urns.map((urn) => context.entity(urn)) };
  }
}
