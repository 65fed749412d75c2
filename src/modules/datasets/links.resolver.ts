import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { AddLinkInput, RemoveLinkInput, UpdateLinkInput, UpsertLinkInput } from './links.inputs.js';
import { LinksService, type LinkRequest } from './links.service.js';
import './links.types.js';

/** Links to documentation. */
@Resolver()
export class LinksResolver {
  constructor(private readonly links: LinksService) {}

  @Mutation(() => Boolean, { nullable: true, description: 'Adds a link to documentation.' })
  async addLink(
    @Context() { principal }: RequestContext,
    @Args('input') input: AddLinkInput,
  ): Promise<boolean> {
    await this.links.add(principal, requestOf(input));
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Adds a link to documentation, or changes its settings when it is there.',
  })
  async upsertLink(
    @Context() { principal }: RequestContext,
    @Args('input') input: UpsertLinkInput,
  ): Promise<boolean> {
    await this.links.upsert(principal, requestOf(input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Changes a link to documentation.' })
  async updateLink(
    @Context() { principal }: RequestContext,
    @Args('input') input: UpdateLinkInput,
  ): Promise<boolean> {
    const current = { url: input.currentUrl, label: input.currentLabel };
    await this.links.update(principal, current, requestOf(input));
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Removes a link to documentation.' })
  async removeLink(
    @Context() { principal }: RequestContext,
    @Args('input') { resourceUrn, linkUrl, label }: RemoveLinkInput,
  ): Promise<boolean> {
    await this.links.remove(principal, resourceUrn, linkUrl, label ?? undefined);
    return true;
  }
}

const requestOf = ({ linkUrl, label, resourceUrn, settings }: AddLinkInput): LinkRequest => ({
  linkUrl,
  label,
  resourceUrn,
  showInAssetPreview: settings?.showInAssetPreview ?? undefined,
});
