import { Injectable } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { SystemMetadata } from '../../catalog/change/index.js';
import { EntityReader } from '../entities/index.js';
import { DataFlow, DataJob } from './entities/index.js';
import { RequestContext } from './request-context.js';
import { Entity, Long } from './types/index.js';

const FIELD = {
  nullable: true,
  description: 'When a run of an ingestion last reported something of it, epoch milliseconds.',
} as const;

/** What is written without a run has this id. */
const NO_RUN = 'no-run-id-provided';

/** When pipelines and jobs were last reported. */
@Injectable()
abstract class LastIngested {
  constructor(private readonly reader: EntityReader) {}

  protected of(entity: Entity, context: RequestContext): Promise<number | null> {
    const loader = context.batched('lastIngested', async (urns) => {
      const found = await this.reader.stored(context.principal, urns);
      return urns.map((urn) => {
        let last: number | null = null;
        for (const { systemMetadata } of found.get(urn)?.aspects.values() ?? []) {
          const { runId = NO_RUN, lastObserved } = JSON.parse(systemMetadata) as SystemMetadata;
          if (runId !== NO_RUN && typeof lastObserved === 'number') last = Math.max(last ?? 0, lastObserved);
        }
        return last;
      });
    });
    return loader.load(entity.urn);
  }
}

@Resolver(() => DataFlow)
export class LastIngestedOfFlows extends LastIngested {
  @ResolveField(() => Long, FIELD)
  lastIngested(@Parent() flow: Entity, @Context() context: RequestContext): Promise<number | null> {
    return this.of(flow, context);
  }
}

@Resolver(() => DataJob)
export class LastIngestedOfJobs extends LastIngested {
  @ResolveField(() => Long, FIELD)
  lastIngested(@Parent() job: Entity, @Context() context: RequestContext): Promise<number | null> {
    return this.of(job, context);
  }
}
