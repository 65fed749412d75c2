import { Injectable } from '@nestjs/common';
import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DataFlow, DataJob, Entity, readCount, readPageSize, RequestContext } from '../graphql/index.js';
import { Dataset } from '../datasets/graphql.js';
import { RelationshipDirection } from './directions.types.js';
import { RelationshipsService } from './relationships.service.js';
import { DataProcessInstanceResult } from './runs.types.js';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 1_000;

@Injectable()
abstract class Runs {
  constructor(private readonly service: RelationshipsService) {}

  /** @param types relationships that lead from a run to the entity */
  protected async page(
    entity: Entity,
    context: RequestContext,
    types: readonly string[],
    asked: number | null,
    size: number | null,
  ): Promise<DataProcessInstanceResult> {
    const start = readCount(asked, 0, '/start');
    const count = readPageSize(size, DEFAULT_COUNT, '/count', MAX_COUNT);
    const loader = context.batched(`runs ${types.join()} ${start} ${count}`, async (urns) => {
      const pages = await this.service.pages(context.principal, {
        urns,
        direction: 'INCOMING',
        types,
        entityTypes: ['dataProcessInstance'],
        includeSoftDeleted: false,
        start,
        count,
      });
      return urns.map((urn) => pages.get(urn));
    });
    const page = await loader.load(entity.urn);
    const runs = (page?.relationships ?? []).map((run) => context.entity(run.entity));
    return { start, count: runs.length, total: page?.total ?? 0, runs };
  }
}

/** The runs of data jobs. */
@Resolver(() => DataJob)
export class JobRunsResolver extends Runs {
  @ResolveField(() => DataProcessInstanceResult, { nullable: true, description: 'Its runs.' })
  runs(
    @Parent() job: Entity,
    @Context() context: RequestContext,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) start: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 10.' }) count: number | null,
  ): Promise<DataProcessInstanceResult> {
    return this.page(job, context, ['InstanceOf'], start, count);
  }
}

/** The runs of data flows. */
@Resolver(() => DataFlow)
export class FlowRunsResolver extends Runs {
  @ResolveField(() => DataProcessInstanceResult, {
    nullable: true,
    description: 'Its runs, not those of its jobs.',
  })
  runs(
    @Parent() flow: Entity,
    @Context() context: RequestContext,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) start: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 10.' }) count: number | null,
  ): Promise<DataProcessInstanceResult> {
    return this.page(flow, context, ['InstanceOf'], start, count);
  }
}

/** The runs that read or wrote datasets. */
@Resolver(() => Dataset)
export class DatasetRunsResolver extends Runs {
  @ResolveField(() => DataProcessInstanceResult, {
    nullable: true,
    description: 'The runs that read it or wrote it.',
  })
  runs(
    @Parent() dataset: Entity,
    @Context() context: RequestContext,
    @Args('direction', {
      type: () => RelationshipDirection,
      description: 'INCOMING for the runs that read it, OUTGOING for those that wrote it.',
    })
    direction: RelationshipDirection,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) start: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 10.' }) count: number | null,
  ): Promise<DataProcessInstanceResult> {
    const verb = direction === 'INCOMING' ? 'Consumes' : 'Produces';
    return this.page(dataset, context, [verb, `DataProcessInstance${verb}`], start, count);
  }
}
