import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { TAGS } from './label-kind.js';
import { ofBatch, ofMany, ofOne } from './label-request.js';
import {
  AddTagsInput,
  BatchAddTagsInput,
  BatchRemoveTagsInput,
  TagAssociationInput,
} from './labels.inputs.js';
import { LabelsService } from './labels.service.js';

/** Tags on entities and columns. */
@Resolver()
export class TagLabelsResolver {
  constructor(private readonly labels: LabelsService) {}

  @Mutation(() => Boolean, { nullable: true, description: 'Puts a tag on an entity or a column.' })
  async addTag(
    @Context() { principal }: RequestContext,
    @Args('input') input: TagAssociationInput,
  ): Promise<boolean> {
    await this.labels.add(principal, TAGS, ofOne('tagUrn', input.tagUrn, input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Puts tags on an entity or a column.' })
  async addTags(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddTagsInput,
  ): Promise<boolean> {
    await this.labels.add(principal, TAGS, ofMany('tagUrns', input.tagUrns, input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Takes a tag from an entity or a column.' })
  async removeTag(
    @Context() { principal }: RequestContext,
    @Args('input') input: TagAssociationInput,
  ): Promise<boolean> {
    await this.labels.remove(principal, TAGS, ofOne('tagUrn', input.tagUrn, input));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Puts tags on several entities and columns, all or none.',
  })
  async batchAddTags(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchAddTagsInput,
  ): Promise<boolean> {
    await this.labels.add(principal, TAGS, ofBatch('tagUrns', input.tagUrns, input.resources));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Takes tags from several entities and columns, all or none.',
  })
  async batchRemoveTags(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchRemoveTagsInput,
  ): Promise<boolean> {
    await this.labels.remove(principal, TAGS, ofBatch('tagUrns', input.tagUrns, input.resources));
    return true;
  }
}
