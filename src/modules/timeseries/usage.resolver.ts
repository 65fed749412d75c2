import { Injectable } from '@nestjs/common';
import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { inSlices, mapInSlices } from '../../catalog/schedule/index.js';
import { Dataset } from '../datasets/graphql.js';
import { Chart, Dashboard, Entity, Long, readPageSize, RequestContext } from '../graphql/index.js';
import { MAX_EVENTS } from './timeseries.routes.js';
import { readEvents } from './read-events.js';
import { TimeseriesService } from './timeseries.service.js';
import { Counts, countOperations, operationsByDay } from './usage.js';
import { beginOf } from './time-ranges.js';
import { DURATIONS } from './usage.routes.js';
import {
  ChartStatsSummary,
  DashboardStatsSummary,
  DatasetStatsSummary,
  OperationsQueryResult,
  OperationsStatsInput,
  TimeRange,
  TimeseriesCapabilitiesResult,
  UsageQueryResult,
  UsageQueryResultAggregations,
  type UsageAggregation,
  type WindowDuration,
} from './usage.types.js';

const DEFAULT_LIMIT = 10;
const TOP_USERS = 5;

type Usage = AspectValues['datasetUsageStatistics'];
type Views = AspectValues['chartUsageStatistics' | 'dashboardUsageStatistics'];
type Measured =
  | 'chartUsageStatistics'
  | 'dashboardUsageStatistics'
  | 'datasetProfile'
  | 'datasetUsageStatistics'
  | 'operation';

interface Span {
  from: number | undefined;
  to?: number | undefined;
}

/** Reads reports of the use of assets. */
@Injectable()
abstract class Reports {
  constructor(protected readonly service: TimeseriesService) {}

  /** The events of a span of time, the newest first, at most as many as one read answers. */
  protected all<A extends Measured>(
    context: RequestContext,
    urn: string,
    aspect: A,
    span: Span,
    limit = MAX_EVENTS,
    newestFirst = true,
  ): Promise<Array<AspectValues[A]>> {
    const query = { urn, aspect, ...span, newestFirst, limit };
    return readEvents(context, this.service, (value: AspectValues[A]) => value, query);
  }

  /** Thousands of reports name a thousand users each. */
  protected async users(events: ReadonlyArray<Pick<Usage | Views, 'userCounts'>>): Promise<Counts> {
    const users = new Counts();
    await inSlices(events, ({ userCounts }) => {
      for (const { user, ...counted } of userCounts ?? [])
        if (user !== undefined) users.add(user, countOf(counted));
    });
    return users;
  }

  protected async usersLast30Days(
    events: ReadonlyArray<Pick<Usage | Views, 'userCounts'>>,
    context: RequestContext,
  ) {
    const users = await this.users(events);
    const top = users.sorted().slice(0, TOP_USERS);
    return {
      uniqueUserCountLast30Days: users.size,
      topUsersLast30Days: top
        .map(([urn]) => context.entity(urn))
        .filter(({ entityName }) => entityName === 'corpuser'),
    };
  }

  protected async viewed(
    context: RequestContext,
    urn: string,
    aspect: 'chartUsageStatistics' | 'dashboardUsageStatistics',
  ): Promise<ChartStatsSummary | null> {
    const events: Views[] = await this.all(context, urn, aspect, { from: beginOf('MONTH') });
    if (events.length === 0) return null;
    const counted = events.find(({ viewsCount }) => viewsCount !== undefined);
    return { viewCount: counted?.viewsCount ?? null, ...(await this.usersLast30Days(events, context)) };
  }
}

function countOf(counted: { count?: number; usageCount?: number; viewsCount?: number }): number {
  return counted.count ?? counted.usageCount ?? counted.viewsCount ?? 0;
}

/** How datasets are used and changed. */
@Resolver(() => Dataset)
export class DatasetUsageResolver extends Reports {
  @ResolveField(() => UsageQueryResult, { nullable: true, description: 'How it was used, the newest first.' })
  async usageStats(
    @Parent() { urn }: Dataset,
    @Context() context: RequestContext,
    @Args('startTimeMillis', { type: () => Long, nullable: true }) since: number | null,
    @Args('endTimeMillis', { type: () => Long, nullable: true }) until: number | null,
    @Args('limit', {
      type: () => Int,
      nullable: true,
      description: 'Default 10; all where startTimeMillis or range says since when.',
    })
    size: number | null,
    @Args('range', {
      type: () => TimeRange,
      nullable: true,
      description: 'Since when, where startTimeMillis does not say it.',
    })
    range: TimeRange | null,
    @Args('timeZone', {
      type: () => String,
      nullable: true,
      description: 'Accepted and ignored: a bucket covers the time that was reported.',
    })
    _timeZone: string | null,
    @Args('resource', {
      type: () => String,
      nullable: true,
      description: 'Accepted and ignored: it is about the dataset that it is asked of.',
    })
    _resource: string | null,
  ): Promise<UsageQueryResult> {
    const span = { from: since ?? beginOf(range), to: until ?? undefined };
    const usual = span.from === undefined ? DEFAULT_LIMIT : MAX_EVENTS;
    const limit = readPageSize(size, usual, '/limit', MAX_EVENTS);
    const events = await this.all(context, urn, 'datasetUsageStatistics', span, limit);
    const buckets = await mapInSlices(events, (event) => bucket(urn, event, context));
    return { buckets, asked: { urn, ...span } };
  }

  @ResolveField(() => DatasetStatsSummary, {
    nullable: true,
    description: 'How it was used in the last 30 days; null where nothing was reported.',
  })
  async statsSummary(
    @Parent() { urn }: Dataset,
    @Context() context: RequestContext,
  ): Promise<DatasetStatsSummary | null> {
    const span = { from: beginOf('MONTH') };
    const events = await this.all(context, urn, 'datasetUsageStatistics', span);
    if (events.length === 0) return null;
    return { queryCountLast30Days: queries(events), ...(await this.usersLast30Days(events, context)) };
  }

  @ResolveField(() => OperationsQueryResult, { nullable: true, description: 'What was done to it, counted.' })
  async operationsStats(
    @Parent() { urn }: Dataset,
    @Context() context: RequestContext,
    @Args('input', { type: () => OperationsStatsInput, nullable: true }) input: OperationsStatsInput | null,
  ): Promise<OperationsQueryResult> {
    const events = await this.all(context, urn, 'operation', { from: beginOf(input?.range) });
    return { aggregations: countOperations(events), buckets: await operationsByDay(events, input?.timeZone) };
  }

  @ResolveField(() => TimeseriesCapabilitiesResult, {
    nullable: true,
    description: 'Since when events of it are known.',
  })
  async timeseriesCapabilities(
    @Parent() { urn }: Dataset,
    @Context() context: RequestContext,
  ): Promise<TimeseriesCapabilitiesResult> {
    const oldest = async (aspect: 'operation' | 'datasetUsageStatistics' | 'datasetProfile') => {
      const [event] = await this.all(context, urn, aspect, { from: undefined }, 1, false);
      return event?.timestampMillis ?? null;
    };
    const [oldestOperationTime, oldestDatasetUsageTime, oldestDatasetProfileTime] = await Promise.all([
      oldest('operation'),
      oldest('datasetUsageStatistics'),
      oldest('datasetProfile'),
    ]);
    return { assetStats: { oldestOperationTime, oldestDatasetUsageTime, oldestDatasetProfileTime } };
  }
}

/** All reports of a span are put together only when that is asked for. */
@Resolver(() => UsageQueryResult)
export class UsageAggregationsResolver extends Reports {
  @ResolveField(() => UsageQueryResultAggregations, {
    nullable: true,
    description: 'All reports of that time together, whatever the limit; of more than 10,000 the latest.',
  })
  async aggregations(
    @Parent() { asked: { urn, ...span } }: UsageQueryResult,
    @Context() context: RequestContext,
  ): Promise<UsageQueryResultAggregations> {
    const events = await this.all(context, urn, 'datasetUsageStatistics', span);
    const users = await this.users(events);
    const fields = new Counts();
    const emails = new Map<string, string>();
    await inSlices(events, ({ fieldCounts, userCounts }) => {
      for (const { fieldPath, count } of fieldCounts ?? []) fields.add(fieldPath, count);
      for (const { user, userEmail } of userCounts ?? [])
        if (userEmail !== undefined && !emails.has(user)) emails.set(user, userEmail);
    });
    return {
      uniqueUserCount: users.size,
      totalSqlQueries: queries(events),
      fields: fields.sorted().map(([fieldName, count]) => ({ fieldName, count })),
      users: users
        .sorted()
        .map(([urn, count]) => ({ user: context.entity(urn), count, userEmail: emails.get(urn) ?? null })),
    };
  }
}

/** How charts are used. */
@Resolver(() => Chart)
export class ChartUsageResolver extends Reports {
  @ResolveField(() => ChartStatsSummary, {
    nullable: true,
    description: 'How it was used in the last 30 days; null where nothing was reported.',
  })
  statsSummary(
    @Parent() { urn }: Entity,
    @Context() context: RequestContext,
  ): Promise<ChartStatsSummary | null> {
    return this.viewed(context, urn, 'chartUsageStatistics');
  }
}

/** How dashboards are used. */
@Resolver(() => Dashboard)
export class DashboardUsageResolver extends Reports {
  @ResolveField(() => DashboardStatsSummary, {
    nullable: true,
    description: 'How it was used in the last 30 days; null where nothing was reported.',
  })
  statsSummary(
    @Parent() { urn }: Entity,
    @Context() context: RequestContext,
  ): Promise<DashboardStatsSummary | null> {
    return this.viewed(context, urn, 'dashboardUsageStatistics');
  }
}

function queries(events: readonly Usage[]): number {
  return events.reduce((sum, { totalSqlQueries = 0 }) => sum + totalSqlQueries, 0);
}

function bucket(resource: string, event: Usage, context: RequestContext): UsageAggregation {
  const { uniqueUserCount = null, totalSqlQueries = null, topSqlQueries = null } = event;
  const users = (event.userCounts ?? []).map(({ user, count, userEmail }) => ({
    user: context.entity(user),
    count,
    userEmail: userEmail ?? null,
  }));
  const fields = (event.fieldCounts ?? []).map(({ fieldPath, count }) => ({ fieldName: fieldPath, count }));
  const metrics = { uniqueUserCount, totalSqlQueries, topSqlQueries, users, fields };
  return {
    ...metrics,
    bucket: event.timestampMillis,
    duration: durationOf(event),
    resource,
    metrics,
  };
}

/** How long a report counts, where one word says it. */
function durationOf({ eventGranularity }: Usage): WindowDuration | null {
  const { unit, multiple = 1 } = eventGranularity ?? {};
  return multiple === 1 ? (DURATIONS.find((duration) => duration === unit) ?? null) : null;
}
