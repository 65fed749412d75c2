import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { refuse } from '../../catalog/errors/index.js';
import { RequestContext, typeNamed } from '../graphql/index.js';
import { CreateTagInput, TagUpdateInput } from './tags.inputs.js';
import { TagsService } from './tags.service.js';
import './tags.types.js';

const urnArgument = { type: () => String, description: 'URN of the tag.' };

/** The life of tags. */
@Resolver()
export class TagsResolver {
  constructor(private readonly tags: TagsService) {}

  @Mutation(() => String, { nullable: true, description: 'Creates a tag; returns its URN.' })
  createTag(
    @Context() { principal }: RequestContext,
    @Args('input') { id, name, description, colorHex }: CreateTagInput,
  ): Promise<string> {
    return this.tags.create(principal, {
      id: id ?? undefined,
      name,
      description: description ?? undefined,
      colorHex: colorHex ?? undefined,
    });
  }

  @Mutation(() => typeNamed('Tag'), {
    nullable: true,
    description: 'Changes name, description and owners of a tag.',
  })
  async updateTag(
    @Context() context: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('input') input: TagUpdateInput,
  ) {
    if (input.urn !== urn)
      throw refuse('PARAMETER_INVALID', 'the URN in the input is not that of the argument', '/input/urn');
    await this.tags.update(context.principal, urn, {
      name: input.name,
      description: input.description ?? undefined,
      owners: input.ownership?.owners.map(({ owner: ownerUrn, ...role }, i) => {
        const at = `/ownership/owners/${i}`;
        return { ownerUrn, ...role, at, urnAt: `${at}/owner` };
      }),
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Permanently deletes a tag. It is removed from what carries it in the background.',
  })
  async deleteTag(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
  ): Promise<boolean> {
    await this.tags.delete(principal, urn);
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Gives a tag a colour.' })
  async setTagColor(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('colorHex', { type: () => String, description: 'Such as #00a3d9.' }) colorHex: string,
  ): Promise<boolean> {
    await this.tags.setColor(principal, urn, colorHex);
    return true;
  }
}
