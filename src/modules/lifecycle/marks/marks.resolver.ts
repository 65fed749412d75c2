import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../../graphql/index.js';
import { readResource, refuseEmpty } from '../../ingest/index.js';
import type { DeprecationRequest } from './deprecation.js';
import {
  BatchUpdateDeprecationInput,
  BatchUpdateSoftDeletedInput,
  UpdateDeprecationInput,
  type DeprecationInput,
} from './marks.inputs.js';
import { MarksService } from './marks.service.js';
import './marks.types.js';

const REPLACEMENT = '/replacement';

/** Soft deletion and deprecation. */
@Resolver()
export class MarksResolver {
  constructor(private readonly marks: MarksService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Hides entities from search, or brings them back.',
  })
  async batchUpdateSoftDeleted(
    @Context() { principal }: RequestContext,
    @Args('input') { urns, deleted }: BatchUpdateSoftDeletedInput,
  ): Promise<boolean> {
    await this.marks.setSoftDeleted(principal, urns, deleted, '/urns');
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Says of an entity or column that it should no longer be used, or may be again.',
  })
  async updateDeprecation(
    @Context() { principal }: RequestContext,
    @Args('input') input: UpdateDeprecationInput,
  ): Promise<boolean> {
    const { urn, subResourceType, subResource } = input;
    const named = readResource({ resourceUrn: urn, subResourceType, subResource }, '');
    const resource = { ...named, at: '/urn' };
    await this.marks.setDeprecation(principal, [resource], requestOf(input), REPLACEMENT);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Says of entities and columns that they should no longer be used, or may be again; all or none.',
  })
  async batchUpdateDeprecation(
    @Context() { principal }: RequestContext,
    @Args('input') input: BatchUpdateDeprecationInput,
  ): Promise<boolean> {
    const at = '/resources';
    refuseEmpty(input.resources, at);
    const resources = input.resources.map((resource, i) => readResource(resource, `${at}/${i}`));
    await this.marks.setDeprecation(principal, resources, requestOf(input), REPLACEMENT);
    return true;
  }
}

const requestOf = (input: DeprecationInput): DeprecationRequest => ({
  deprecated: input.deprecated,
  decommissionTime: input.decommissionTime ?? undefined,
  note: input.note ?? undefined,
  replacement: input.replacement ?? undefined,
});
