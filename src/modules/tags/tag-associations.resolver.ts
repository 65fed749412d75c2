import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { AssociationsService, ofBatch, ofMany, ofOne } from '../ingest/index.js';
import { TAGS } from './tag-association.js';
import {
  AddTagsInput,
  BatchAddTagsInput,
  BatchRemoveTagsInput,
  TagAssociationInput,
} from './tag-associations.inputs.js';

/** Tags on entities and columns. */
@Resolver()
export class TagAssociationsResolver {
  constructor(private readonly associations: AssociationsService) {}

  @Mutation(() => Boolean, { nullable: true, description: 'Puts a tag on an entity or a column.' })
  async addTag(
    @Context() { principal }: RequestContext,
    @Args('input') input: TagAssociationInput,
  ): Promise<boolean> {
    await this.associations.add(principal, TAGS, ofOne('tagUrn', input.tagUrn, input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Puts tags on an entity or a column.' })
  async addTags(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddTagsInput,
  ): Promise<boolean> {
    await this.associations.add(principal, TAGS, ofMany('tagUrns', input.tagUrns, input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Takes a tag from an entity or a column.' })
  async removeTag(
    @Context() { principal }: RequestContext,
    @Args('input') input: TagAssociationInput,
  ): Promise<boolean> {
    await this.associations.remove(principal, TAGS, ofOne('tagUrn', input.tagUrn, input));
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
    await this.associations.add(principal, TAGS, ofBatch('tagUrns', input.tagUrns, input.resources));
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
    await this.associations.remove(principal, TAGS, ofBatch('tagUrns', input.tagUrns, input.resources));
    return true;
  }
}
