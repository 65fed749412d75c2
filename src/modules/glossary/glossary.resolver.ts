import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { LevelListsService, NODE, refTo, TERM, TreeService, type TreeKind } from '../trees/index.js';
import {
  CreateGlossaryEntityInput,
  GetRootGlossaryEntitiesInput,
  GetRootGlossaryNodesResult,
  GetRootGlossaryTermsResult,
  RelatedTermsInput,
  UpdateParentNodeInput,
} from './glossary.inputs.js';
import { RelatedTermsService } from './related-terms.service.js';
import './glossary.types.js';

/** The business glossary: terms, and the folders they lie in. */
@Resolver()
export class GlossaryResolver {
  constructor(
    private readonly tree: TreeService,
    private readonly related: RelatedTermsService,
    private readonly levels: LevelListsService,
  ) {}

  @Mutation(() => String, { nullable: true, description: 'Creates a glossary term; returns its URN.' })
  createGlossaryTerm(
    @Context() context: RequestContext,
    @Args('input') input: CreateGlossaryEntityInput,
  ): Promise<string> {
    return this.create(context, TERM, input);
  }

  @Mutation(() => String, { nullable: true, description: 'Creates a glossary folder; returns its URN.' })
  createGlossaryNode(
    @Context() context: RequestContext,
    @Args('input') input: CreateGlossaryEntityInput,
  ): Promise<string> {
    return this.create(context, NODE, input);
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Moves a glossary term or folder into another folder, or to the top.',
  })
  async updateParentNode(
    @Context() { principal }: RequestContext,
    @Args('input') { resourceUrn, parentNode }: UpdateParentNodeInput,
  ): Promise<boolean> {
    const entry = { urn: resourceUrn, at: '/resourceUrn' };
    const kind = this.tree.kindOf(entry, [TERM, NODE]);
    const parent = refTo(parentNode, '/parentNode');
    await this.tree.move(principal, kind, entry, parent);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Permanently deletes a glossary term, or an empty folder. References to it are removed in the background.',
  })
  async deleteGlossaryEntity(
    @Context() { principal }: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the glossary term or folder.' }) urn: string,
  ): Promise<boolean> {
    const entry = { urn, at: '/urn' };
    await this.tree.delete(principal, this.tree.kindOf(entry, [TERM, NODE]), entry);
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Relates a glossary term to others.' })
  async addRelatedTerms(
    @Context() { principal }: RequestContext,
    @Args('input') input: RelatedTermsInput,
  ): Promise<boolean> {
    await this.related.add(principal, input);
    return true;
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Ends relations of a glossary term.' })
  async removeRelatedTerms(
    @Context() { principal }: RequestContext,
    @Args('input') input: RelatedTermsInput,
  ): Promise<boolean> {
    await this.related.remove(principal, input);
    return true;
  }

  @Query(() => GetRootGlossaryTermsResult, {
    nullable: true,
    description: 'Glossary terms that lie in no folder, by name.',
  })
  async getRootGlossaryTerms(
    @Context() context: RequestContext,
    @Args('input') input: GetRootGlossaryEntitiesInput,
  ): Promise<GetRootGlossaryTermsResult> {
    const { urns, ...page } = await this.levels.list(context.principal, TERM, input);
    return { ...page, terms: urns.map((urn) => context.entity(urn)) };
  }

  @Query(() => GetRootGlossaryNodesResult, {
    nullable: true,
    description: 'Glossary folders that lie in no other, by name.',
  })
  async getRootGlossaryNodes(
    @Context() context: RequestContext,
    @Args('input') input: GetRootGlossaryEntitiesInput,
  ): Promise<GetRootGlossaryNodesResult> {
    const { urns, ...page } = await this.levels.list(context.principal, NODE, input);
    return { ...page, nodes: urns.map((urn) => context.entity(urn)) };
  }

  private create(
    { principal }: RequestContext,
    kind: TreeKind,
    { id, name, description, parentNode }: CreateGlossaryEntityInput,
  ): Promise<string> {
    return this.tree.create(principal, kind, {
      id: id ?? undefined,
      name,
      description: description ?? undefined,
      parent: parentNode ?? undefined,
    });
  }
}
