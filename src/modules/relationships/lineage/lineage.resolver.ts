import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../../catalog/auth/index.js';
import type { AspectValues } from '../../../catalog/model/generated/aspects.js';
import { Model } from '../../../catalog/model/index.js';
import { checkDuration } from '../../../catalog/route/index.js';
import { DEFAULT_COUNT, MAX_WINDOW } from '../../../catalog/search/index.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import { EntityReader } from '../../entities/index.js';
import {
  CurrentPrincipal,
  Entity,
  Long,
  platformUrn,
  readCount,
  readPageSize,
  readTypes,
  RequestContext,
  Searches,
} from '../../graphql/index.js';
import {
  facet,
  readFilter,
  readSearchFlags,
  readSort,
  searchResult,
  withinView,
} from '../../search/graphql.js';
import { GRAPHQL_POINTERS } from '../../search/index.js';
import { detailsOf, type EdgeDetails, type LineageEdge } from './lineage-edge.js';
import { LineageScroll } from './lineage-scroll.js';
import {
  LineageSearch,
  wantsColumns,
  type LineageFindings,
  type LineageHit,
  type LineageQuery,
} from './lineage-search.js';
import { pathTo } from './lineage-walk.js';
import {
  checkLineageFlags,
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
  constructor(
    private readonly lineage: LineageService,
    private readonly search: LineageSearch,
    private readonly scroll: LineageScroll,
    private readonly model: Model,
    private readonly reader: EntityReader,
  ) {}

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
    const found = await this.search.find(principal, await this.asked(principal, input, context));
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
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW, 1);
    checkDuration(input.keepAlive, '/keepAlive');
    const query = await this.asked(principal, input, context);
    const { found, page, next } = await this.scroll.page(principal, query, count, input.scrollId);
    return { nextScrollId: next ?? null, ...shown(found, page, context) };
  }

  private async asked(
    principal: Principal,
    input: ScrollAcrossLineageInput | SearchAcrossLineageInput,
    { signal }: RequestContext,
  ): Promise<LineageQuery> {
    const urn = this.search.start(input.urn);
    checkLineageFlags(input.lineageFlags);
    const narrowed = await withinView(
      this.reader,
      principal,
      'viewUrn' in input ? input.viewUrn : undefined,
      {
        entities: readTypes(input.types, this.model),
        filter: readFilter(input.orFilters, 'filters' in input ? input.filters : undefined),
      },
    );
    const { latestOnly, ...flags } = readSearchFlags(input.searchFlags);
    const query = input.query?.trim() ? input.query : '*';
    return {
      ...narrowed,
      urn,
      signal,
      flags,
      direction: input.direction,
      span: readTimeSpan(input, input.lineageFlags),
      passes: this.passed(input),
      entitiesPointer: '/types',
      at: GRAPHQL_POINTERS,
      input: query,
      includeSoftDeleted: flags.includeSoftDeleted,
      latestOnly,
      sort: readSort(input.sortInput),
      nearestFirst: !input.sortInput && query.trim() === '*',
      columns: wantsColumns(input.searchFlags?.groupingSpec?.groupingCriteria),
    };
  }

  /** What counts as no step: entities of some types, of each on some platforms or on all. */
  private passed({
    lineageFlags,
  }: ScrollAcrossLineageInput | SearchAcrossLineageInput): LineageQuery['passes'] {
    const asked = lineageFlags?.ignoreAsHops ?? [];
    const platformsOf = new Map<string, Set<string> | undefined>();
    for (const [i, { entityType, platforms }] of asked.entries()) {
      const [type = ''] = readTypes([entityType], this.model, `/lineageFlags/ignoreAsHops/${i}/entityType`);
      const known = platformsOf.get(type);
      if (!platforms?.length) platformsOf.set(type, undefined);
      else if (known || !platformsOf.has(type))
        platformsOf.set(type, new Set([...(known ?? []), ...platforms]));
    }
    if (platformsOf.size === 0) return undefined;
    const test = (urn: string): boolean => {
      const type = tryParseUrn(urn)?.type ?? '';
      const platforms = platformsOf.get(type);
      return platformsOf.has(type) && (platforms?.has(platformIn(urn) ?? '') ?? true);
    };
    return { test, asked };
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

/** The platform that a URN names: by its URN, or by its name, as those of pipelines and reports do. */
function platformIn(urn: string): string | undefined {
  const first = tryParseUrn(urn)?.parts[0];
  return first?.startsWith('urn:li:dataFlow:') ? platformIn(first) : platformUrn(first);
}
