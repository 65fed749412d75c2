import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Entity, enumOf, Long, optional, typeNamed } from '../graphql/index.js';
import { TIME_RANGES } from './time-ranges.js';
import { DURATIONS } from './usage.routes.js';

export const TimeRange = enumOf(TIME_RANGES);
export type TimeRange = keyof typeof TimeRange;
registerEnumType(TimeRange, { name: 'TimeRange', description: 'A span of time that ends now.' });

export const WindowDuration = enumOf(DURATIONS);
export type WindowDuration = keyof typeof WindowDuration;
registerEnumType(WindowDuration, { name: 'WindowDuration', description: 'How long a report counts.' });

@ObjectType('UserUsageCounts', { description: 'How often a user asked a dataset.' })
export class UserUsageCounts {
  @Field(() => typeNamed('CorpUser'), optional) user!: Entity | null;
  @Field(() => Int, optional) count!: number;
  @Field(() => String, optional) userEmail!: string | null;
}

@ObjectType('FieldUsageCounts', { description: 'How often a column was asked for.' })
export class FieldUsageCounts {
  @Field(() => String, optional) fieldName!: string;
  @Field(() => Int, optional) count!: number;
}

@ObjectType('UsageAggregationMetrics', { description: 'How often a dataset was asked over a span of time.' })
export class UsageAggregationMetrics {
  @Field(() => Int, optional) uniqueUserCount!: number | null;
  @Field(() => Int, optional) totalSqlQueries!: number | null;
  @Field(() => [String], { nullable: 'itemsAndList', description: 'The most frequent statements.' })
  topSqlQueries!: string[] | null;
  @Field(() => [UserUsageCounts], { nullable: 'itemsAndList' }) users!: UserUsageCounts[];
  @Field(() => [FieldUsageCounts], { nullable: 'itemsAndList' }) fields!: FieldUsageCounts[];
}

@ObjectType('UsageAggregation', { description: 'How a dataset was used over a span of time.' })
export class UsageAggregation {
  @Field(() => Long, { nullable: true, description: 'Epoch milliseconds.' }) bucket!: number;
  @Field(() => WindowDuration, { nullable: true, description: 'Null where the report does not say it.' })
  duration!: WindowDuration | null;
  @Field(() => String, { nullable: true, description: 'URN of the dataset.' }) resource!: string;
  @Field(() => Int, optional) uniqueUserCount!: number | null;
  @Field(() => Int, optional) totalSqlQueries!: number | null;
  @Field(() => [String], optional) topSqlQueries!: string[] | null;
  @Field(() => UsageAggregationMetrics, { nullable: true, description: 'The counts, once more.' })
  metrics!: UsageAggregationMetrics;
  @Field(() => [UserUsageCounts], optional) users!: UserUsageCounts[];
  @Field(() => [FieldUsageCounts], optional) fields!: FieldUsageCounts[];
}

@ObjectType('UsageQueryResultAggregations', {
  description: 'How a dataset was used over a span of time, all reports together.',
})
export class UsageQueryResultAggregations {
  @Field(() => Int, { nullable: true, description: 'How many users asked it.' }) uniqueUserCount!: number;
  @Field(() => Int, { nullable: true, description: 'How many statements asked it.' })
  totalSqlQueries!: number;
  @Field(() => [FieldUsageCounts], {
    nullable: 'itemsAndList',
    description: 'Its columns, the one most asked for first.',
  })
  fields!: FieldUsageCounts[];
  @Field(() => [UserUsageCounts], {
    nullable: 'itemsAndList',
    description: 'Who asked it, the one who asked most first.',
  })
  users!: UserUsageCounts[];
}

@ObjectType('UsageQueryResult', { description: 'How a dataset was used.' })
export class UsageQueryResult {
  @Field(() => [UsageAggregation], { nullable: 'itemsAndList', description: 'The newest first.' })
  buckets!: UsageAggregation[];
  /** What `aggregations` are made of. */
  asked!: { urn: string; from: number | undefined; to: number | undefined };
}

/** What previews of an asset show of its use. Null where nothing was reported in that time. */
@ObjectType({ isAbstract: true })
abstract class UsersLast30Days {
  @Field(() => Int, { nullable: true, description: 'How many users there were.' })
  uniqueUserCountLast30Days!: number;
  @Field(() => [typeNamed('CorpUser')], {
    nullable: true,
    description: 'Five users at most, the one who used it most first.',
  })
  topUsersLast30Days!: Entity[];
}

@ObjectType('DatasetStatsSummary', { description: 'How a dataset was used in the last 30 days.' })
export class DatasetStatsSummary extends UsersLast30Days {
  @Field(() => Int, { nullable: true, description: 'How many statements asked it.' })
  queryCountLast30Days!: number;
}

@ObjectType('ChartStatsSummary', { description: 'How a chart was used in the last 30 days.' })
export class ChartStatsSummary extends UsersLast30Days {
  @Field(() => Int, { nullable: true, description: 'How often it was looked at, by the latest report.' })
  viewCount!: number | null;
}

@ObjectType('DashboardStatsSummary', { description: 'How a dashboard was used in the last 30 days.' })
export class DashboardStatsSummary extends UsersLast30Days {
  @Field(() => Int, { nullable: true, description: 'How often it was looked at, by the latest report.' })
  viewCount!: number | null;
}

@InputType('OperationsStatsInput', { description: 'Over which time operations are counted.' })
export class OperationsStatsInput {
  @Field(() => TimeRange, { nullable: true, description: 'All that there are when absent.' })
  range?: TimeRange | null;
  @Field(() => String, {
    nullable: true,
    description: 'The time zone in which days begin, such as Europe/Berlin; UTC when absent.',
  })
  timeZone?: string | null;
}

@ObjectType('IntMapEntry', { description: 'One entry of a map of numbers.' })
export class IntMapEntry {
  @Field(() => String, { description: 'Its key.' }) key!: string;
  @Field(() => Int, { nullable: true, description: 'Its value.' }) value!: number;
}

@ObjectType('OperationsAggregationsResult', { description: 'How many operations there were.' })
export class OperationsAggregationsResult {
  @Field(() => Int, optional) totalOperations!: number;
  @Field(() => Int, optional) totalInserts!: number;
  @Field(() => Int, optional) totalUpdates!: number;
  @Field(() => Int, optional) totalDeletes!: number;
  @Field(() => Int, optional) totalCreates!: number;
  @Field(() => Int, optional) totalAlters!: number;
  @Field(() => Int, optional) totalDrops!: number;
  @Field(() => Int, optional) totalCustoms!: number;
  @Field(() => [IntMapEntry], { nullable: true, description: 'Those of the kind CUSTOM by their names.' })
  customOperationsMap!: IntMapEntry[];
}

@ObjectType('OperationsAggregation', { description: 'The operations of one day.' })
export class OperationsAggregation {
  @Field(() => Long, { nullable: true, description: 'When the day begins, epoch milliseconds.' })
  bucket!: number;
  @Field(() => OperationsAggregationsResult, { nullable: true, description: 'How many there were.' })
  aggregations!: OperationsAggregationsResult;
}

@ObjectType('OperationsQueryResult', {
  description: 'The operations on a dataset, counted. Of more than 10,000 the latest count.',
})
export class OperationsQueryResult {
  @Field(() => OperationsAggregationsResult, { nullable: true, description: 'All of them together.' })
  aggregations!: OperationsAggregationsResult;
  @Field(() => [OperationsAggregation], {
    nullable: 'itemsAndList',
    description: 'By day, the newest first; days without operations are left out.',
  })
  buckets!: OperationsAggregation[];
}

@ObjectType('AssetStatsResult', { description: 'Since when there are events; null where there are none.' })
export class AssetStatsResult {
  @Field(() => Long, { nullable: true, description: 'Time of the first operation, epoch milliseconds.' })
  oldestOperationTime!: number | null;
  @Field(() => Long, { nullable: true, description: 'Time of the first report of its use.' })
  oldestDatasetUsageTime!: number | null;
  @Field(() => Long, { nullable: true, description: 'Time of the first profile.' })
  oldestDatasetProfileTime!: number | null;
}

@ObjectType('TimeseriesCapabilitiesResult', { description: 'What is known of a dataset over time.' })
export class TimeseriesCapabilitiesResult {
  @Field(() => AssetStatsResult, { nullable: true, description: 'Since when there are events.' })
  assetStats!: AssetStatsResult;
}
