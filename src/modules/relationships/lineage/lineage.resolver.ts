import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { AspectValues } from '../../../catalog/model/generated/aspects.js';
import { Model } from '../../../catalog/model/index.js';
import { DEFAULT_COUNT, MAX_WINDOW, SearchSchema } from '../../../catalog/search/index.js';
import { EntityReader } from '../../entities/index.js';
import {
  CurrentPrincipal,
  Entity,
  Long,
  readCount,
  readPageSize,
  RequestContext,
  Searches,
} from '../../graphql/index.js';
import { facet, searchResult } from '../../search/graphql.js';
import { SearchService } from '../../search/index.js';
import { detailsOf, type EdgeDetails, type LineageEdge } from './lineage-edge.js';
import { LineageSearch, type LineageFindings, type LineageHit } from './lineage-search.js';
import { pathTo } from './lineage-walk.js';
import {
  LineageInput,
  readTimeSpan,
  ScrollAcrossLineageInput,
  SearchAcrossLineageInput,
} from './lineage.inputs.js';
import { LineageService } from './lineage.service.js';
import {
  EntityLineageResult,
  EntityPath,
  LineageRelationship,
  ScrollAcrossLineageResults,
  SearchAcrossLineageResults,
  SearchAcrossLineageResult,
} from './lineage.types.js';

/** Search along lineage, and the neighbours of any entity. */
@Resolver(() => Entity)
export class LineageResolver {
  private readonly search: LineageSearch;

  constructor(
    private readonly lineage: LineageService,
    search: SearchService,
    schema: SearchSchema,
    model: Model,
    reader: EntityReader,
  ) {
    this.search = new LineageSearch(lineage, search, schema, model, reader);
  }

  @Searches('lineage')
  @Query(() => SearchAcrossLineageResults, {
    nullable: true,
    description: 'Finds what lies up or down in lineage.',
  })
  async searchAcrossLineage(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossLineageInput }) input: SearchAcrossLineageInput,
  ): Promise<SearchAcrossLineageResults> {
    const start = readCount(input.start, 0, '/start');
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW);
    const found = await this.search.find(principal, input, context.signal);
    const page = found.hits.slice(start, start + count);
    return { start, ...shown(found, page, context) };
  }

  @Searches('lineage')
  @Query(() => ScrollAcrossLineageResults, {
    nullable: true,
    description: 'Walks over everything up or down in lineage page by page, the nearest first.',
  })
  async scrollAcrossLineage(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => ScrollAcrossLineageInput }) input: ScrollAcrossLineageInput,
  ): Promise<ScrollAcrossLineageResults> {
    const start = readScrollId(input.scrollId);
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW, 1);
    const found = await this.search.find(principal, input, context.signal);
    const page = found.hits.slice(start, start + count);
    const end = start + page.length;
    return { nextScrollId: end < found.hits.length ? scrollId(end) : null, ...shown(found, page, context) };
  }

  @ResolveField('lineage', () => EntityLineageResult, {
    nullable: true,
    description: 'Its neighbours in lineage.',
  })
  async neighbours(
    @Parent() entity: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => LineageInput }) input: LineageInput,
  ): Promise<EntityLineageResult> {
    const start = readCount(input.start, 0, '/start');
    const count = readPageSize(input.count, 100, '/count', MAX_WINDOW);
    const asked = { span: readTimeSpan(input), existing: input.includeGhostEntities === false };
    const key = JSON.stringify({ direction: input.direction, ...asked });
    const loader = context.batched(`lineage ${key}`, async (urns) => {
      const found = await this.lineage.neighbours(context.principal, urns, input.direction, asked);
      return urns.map((urn) => found.get(urn) ?? { neighbours: [], hidden: 0 });
    });
    const { neighbours, hidden } = await loader.load(entity.urn);
    const page = neighbours.slice(start, start + count);
    return {
      start,
      count: page.length,
      total: neighbours.length,
      filtered: hidden,
      relationships: page.map(({ urn, type, edge }) => ({
        ...{ type, edge },
        entity: context.entity(urn),
        degree: 1,
      })),
    };
  }
}

/** The ways to hits are followed when they are asked for: all together are much longer than the answer without them. */
@Resolver(() => SearchAcrossLineageResult)
export class LineagePathsResolver {
  @ResolveField(() => [EntityPath], { nullable: 'itemsAndList', description: 'A shortest way to it.' })
  async paths(
    @Parent() hit: SearchAcrossLineageResult,
    @Context() context: RequestContext,
  ): Promise<EntityPath[]> {
    await context.slices.pace();
    return hit.nodes.map((node) => ({ path: pathTo(node).map((urn) => context.entity(urn)) }));
  }
}

/** What is known of an edge stands in the aspect that holds it, which is read when it is asked for. */
@Resolver(() => LineageRelationship)
export class LineageEdgeResolver {
  @ResolveField(() => Long, {
    nullable: true,
    description: 'When the edge was created; null where its aspect does not say it.',
  })
  async createdOn(@Parent() { edge }: LineageRelationship, @Context() context: RequestContext) {
    return (await details(edge, context))?.created.time;
  }

  @ResolveField(() => Entity, {
    nullable: true,
    description: 'Who created the edge; null where its aspect does not say it.',
  })
  async createdActor(@Parent() { edge }: LineageRelationship, @Context() context: RequestContext) {
    return context.entity((await details(edge, context))?.created.actor);
  }

  @ResolveField(() => Long, {
    nullable: true,
    description: 'When the edge was last changed; null where its aspect does not say it.',
  })
  async updatedOn(@Parent() { edge }: LineageRelationship, @Context() context: RequestContext) {
    return (await details(edge, context))?.updated.time;
  }

  @ResolveField(() => Entity, {
    nullable: true,
    description: 'Who changed the edge last; null where its aspect does not say it.',
  })
  async updatedActor(@Parent() { edge }: LineageRelationship, @Context() context: RequestContext) {
    return context.entity((await details(edge, context))?.updated.actor);
  }

  @ResolveField(() => Boolean, {
    nullable: true,
    description: 'Whether people drew the edge: its property `source` is `UI`.',
  })
  async isManual(@Parent() { edge }: LineageRelationship, @Context() context: RequestContext) {
    return (await details(edge, context))?.isManual;
  }
}

async function details(edge: LineageEdge, context: RequestContext): Promise<EdgeDetails | undefined> {
  return detailsOf(edge, await context.value(edge.source, edge.aspect as keyof AspectValues));
}

function shown(found: LineageFindings, page: readonly LineageHit[], context: RequestContext) {
  return {
    count: page.length,
    total: found.hits.length,
    searchResults: page.map((hit) => result(hit, context)),
    facets: found.facets.map((values) => facet(values, found.title, context)),
    isPartial: found.truncated,
  };
}

function result(hit: LineageHit, context: RequestContext): SearchAcrossLineageResult {
  return {
    ...searchResult({ ...hit.found, urn: hit.urn }, context),
    degree: hit.degrees[0]!,
    degrees: hit.degrees,
    explored: true,
    ignoredAsHop: hit.nodes.every(({ passed }) => passed),
    nodes: hit.nodes,
  };
}

function scrollId(offset: number): string {
  return Buffer.from(`lineage:${offset}`).toString('base64url');
}

function readScrollId(text: string | null | undefined): number {
  if (text === null || text === undefined || text === '') return 0;
  const offset = /^lineage:(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString())?.[1];
  if (offset === undefined)
    throw refuse('PARAMETER_INVALID', 'the scroll id belongs to another listing', '/scrollId');
  return Number(offset);
}
