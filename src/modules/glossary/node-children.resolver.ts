import { Args, Context, Field, Int, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import { ScrollAcrossEntitiesInput, ScrollResults, SearchPages } from '../search/graphql.js';
import { FolderCountsService } from './folder-counts.service.js';
import { GlossaryNode } from './glossary.types.js';

@ObjectType('GlossaryNodeChildrenCount', { description: 'How much lies in a folder itself.' })
class GlossaryNodeChildrenCount {
  @Field(() => Int, { description: 'Glossary terms.' }) termsCount!: number;
  @Field(() => Int, { description: 'Folders.' }) nodesCount!: number;
}

/** How much lies in a folder of the glossary. */
@Resolver(() => GlossaryNode)
export class NodeCountsResolver {
  constructor(private readonly counts: FolderCountsService) {}

  @ResolveField(() => GlossaryNodeChildrenCount, {
    nullable: true,
    description: 'How many terms and folders lie in it itself, not in folders below it.',
  })
  async childrenCount(
    @Parent() node: Entity,
    @Context() context: RequestContext,
  ): Promise<GlossaryNodeChildrenCount> {
    const loader = context.batched('glossary children', async (urns) => {
      const counts = await this.counts.countsIn(context.principal, urns);
      return urns.map((urn) => counts.get(urn));
    });
    const found = await loader.load(node.urn);
    return { termsCount: found?.terms ?? 0, nodesCount: found?.nodes ?? 0 };
  }
}

/** What lies in a folder of the glossary. */
@Resolver(() => GlossaryNode)
export class NodeChildrenResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => ScrollResults, {
    nullable: true,
    description: 'Walks over what lies in it itself: terms and folders where no types are named.',
  })
  glossaryChildrenSearch(
    @Parent() node: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => ScrollAcrossEntitiesInput }) input: ScrollAcrossEntitiesInput,
  ): Promise<ScrollResults> {
    const filters = [{ field: 'parentNode', values: [node.urn] }];
    const types = input.types?.length ? input.types : (['GLOSSARY_TERM', 'GLOSSARY_NODE'] as const);
    return this.scrollPage(context, { ...input, types: [...types], filters }, '/types');
  }
}
