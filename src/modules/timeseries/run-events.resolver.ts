import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DataProcessInstance, Entity, Long, RequestContext } from '../graphql/index.js';
import { LIMIT, readLimit } from './event-limit.js';
import { readEvents } from './read-events.js';
import { DataProcessRunEvent, runEvent } from './run-events.types.js';
import { TimeseriesService } from './timeseries.service.js';

/** How runs went. */
@Resolver(() => DataProcessInstance)
export class RunEventsResolver {
  constructor(private readonly service: TimeseriesService) {}

  @ResolveField(() => [DataProcessRunEvent], {
    nullable: 'itemsAndList',
    description: 'Its starts and ends, the newest first.',
  })
  async state(
    @Parent() { urn }: Entity,
    @Context() context: RequestContext,
    @Args('startTimeMillis', { type: () => Long, nullable: true }) from: number | null,
    @Args('endTimeMillis', { type: () => Long, nullable: true }) to: number | null,
    @Args('limit', { type: () => Int, nullable: true, description: LIMIT }) limit: number | null,
  ): Promise<DataProcessRunEvent[]> {
    return readEvents(context, this.service, runEvent, {
      urn,
      aspect: 'dataProcessInstanceRunEvent',
      from: from ?? undefined,
      to: to ?? undefined,
      newestFirst: true,
      limit: readLimit(limit, from),
    });
  }
}
