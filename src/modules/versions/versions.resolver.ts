import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { type Entity, RequestContext, typeNamed } from '../graphql/index.js';
import { LinkVersionInput, UnlinkVersionInput } from './versions.inputs.js';
import { VersionsService } from './versions.service.js';

/** Which entities are versions of one another. */
@Resolver()
export class VersionsResolver {
  constructor(private readonly versions: VersionsService) {}

  @Mutation(() => typeNamed('VersionSet'), {
    nullable: true,
    description:
      'Makes an entity the latest version of a set, which is made when it does not exist. Answers the set.',
  })
  async linkAssetVersion(
    @Context() context: RequestContext,
    @Args('input') { sourceTimestamp, sourceCreator, comment, ...version }: LinkVersionInput,
  ): Promise<Entity> {
    await this.versions.link(context.principal, {
      ...version,
      sourceTimestamp: sourceTimestamp ?? undefined,
      sourceCreator: sourceCreator ?? undefined,
      comment: comment ?? undefined,
    });
    context.refresh();
    return context.entity(version.versionSet);
  }

  @Mutation(() => typeNamed('VersionSet'), {
    nullable: true,
    description:
      'Takes an entity out of its version set. The version before it becomes the latest; a set without versions is deleted. Answers the set.',
  })
  async unlinkAssetVersion(
    @Context() context: RequestContext,
    @Args('input') { versionSet, unlinkedEntity }: UnlinkVersionInput,
  ): Promise<Entity> {
    const set = await this.versions.unlink(
      context.principal,
      versionSet ?? undefined,
      unlinkedEntity ?? undefined,
    );
    context.refresh();
    return context.entity(set);
  }
}
