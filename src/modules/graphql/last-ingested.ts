import { Injectable, type Type } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { SystemMetadata } from '../../catalog/change/index.js';
import { readJson } from '../../catalog/json/index.js';
import { EntityReader } from '../entities/index.js';
import { RequestContext } from './request-context.js';
import { Entity, Long } from './types/index.js';

const FIELD = {
  nullable: true,
  description: 'When a run of an ingestion last reported something of it, epoch milliseconds.',
} as const;

/** What is written without a run has this id. */
const NO_RUN = 'no-run-id-provided';

/** When entities were last reported. */
@Injectable()
abstract class LastIngested {
  constructor(private readonly reader: EntityReader) {}

  protected of(entity: Entity, context: RequestContext): Promise<number | null> {
    const loader = context.batched('lastIngested', async (urns) => {
      const found = await this.reader.stored(context.principal, urns);
      return urns.map((urn) => {
        let last: number | null = null;
        for (const { systemMetadata } of found.get(urn)?.aspects.values() ?? []) {
          const { runId = NO_RUN, lastObserved } = readJson(systemMetadata) as SystemMetadata;
          if (runId !== NO_RUN && typeof lastObserved === 'number') last = Math.max(last ?? 0, lastObserved);
        }
        return last;
      });
    });
    return loader.load(entity.urn);
  }
}

/** A resolver of the field for one type. */
export function lastIngestedOf(type: Type<Entity>): Type<LastIngested> {
  @Resolver(() => type)
  class LastIngestedOfType extends LastIngested {
    @ResolveField(() => Long, FIELD)
    lastIngested(@Parent() entity: Entity, @Context() context: RequestContext): Promise<number | null> {
      return this.of(entity, context);
    }
  }
  return LastIngestedOfType;
}
