import { Args, Context, Field, InputType, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { Entity, FacetFilterInput, RequestContext, Searches } from '../graphql/index.js';
import { ListedPage, listEntities, ListInput } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { OwnershipTypesService } from './ownership-types.service.js';
import { OwnershipTypeEntity } from './ownership.types.js';

@InputType('ListOwnershipTypesInput', { description: 'A page of the kinds of ownership.' })
class ListOwnershipTypesInput extends ListInput {
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
}

@ObjectType('ListOwnershipTypesResult', { description: 'A page of the kinds of ownership.' })
class ListOwnershipTypesResult extends ListedPage {
  @Field(() => [OwnershipTypeEntity], { description: 'The kinds of ownership.' })
  ownershipTypes!: Entity[];
}

@InputType('CreateOwnershipTypeInput', { description: 'A new kind of ownership.' })
class CreateOwnershipTypeInput {
  @Field(() => String, { description: 'What it is called.' }) name!: string;
  @Field(() => String, { description: 'What its owners are responsible for.' }) description!: string;
}

@InputType('UpdateOwnershipTypeInput', { description: 'Changes to a kind of ownership.' })
class UpdateOwnershipTypeInput {
  @Field(() => String, { nullable: true, description: 'What it is called; stays as it is when absent.' })
  name?: string | null;
  @Field(() => String, { nullable: true, description: 'What it means; stays as it is when absent.' })
  description?: string | null;
}

const urnArgument = { type: () => String, description: 'URN of the kind of ownership.' };

/** Kinds of ownership that are stored. */
@Resolver()
export class OwnershipTypesResolver {
  constructor(
    private readonly search: SearchService,
    private readonly types: OwnershipTypesService,
  ) {}

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

  @Mutation(() => OwnershipTypeEntity, { nullable: true, description: 'Makes a kind of ownership.' })
  async createOwnershipType(
    @Context() context: RequestContext,
    @Args('input') { name, description }: CreateOwnershipTypeInput,
  ) {
    const urn = await this.types.create(context.principal, name, description);
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => OwnershipTypeEntity, {
    nullable: true,
    description: 'Changes name and description of a kind of ownership.',
  })
  async updateOwnershipType(
    @Context() context: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('input') input: UpdateOwnershipTypeInput,
  ) {
    await this.types.describe(context.principal, urn, given(input));
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Permanently deletes a kind of ownership.' })
  async deleteOwnershipType(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('deleteReferences', {
      type: () => Boolean,
      nullable: true,
      description:
        'Whether it is taken off the owners that name it as well, in the background: they stay owners. Default true.',
    })
    deleteReferences?: boolean | null,
  ): Promise<boolean> {
    await this.types.delete(principal, urn, deleteReferences !== false);
    return true;
  }
}
