import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales,PROD)';
const FLOW = 'urn:li:dataFlow:(airflow,nightly,PROD)';
const JOB = `urn:li:dataJob:(${FLOW},build)`;
const RUN = 'urn:li:dataProcessInstance:one';
const ann = 'urn:li:corpuser:ann';
const bob = 'urn:li:corpuser:bob';
/** Noon of the day before: nothing here falls on the border of a day. */
const NOON = Math.floor(Date.now() / DAY) * DAY - DAY / 2;

describe('statistics of use in GraphQL', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const used = (
      time: number,
      queries: number,
      counts: Record<string, number>,
      more = {},
    ): [string, string, object] => [
      DATASET,
      'datasetUsageStatistics',
      {
        timestampMillis: time,
        totalSqlQueries: queries,
        uniqueUserCount: Object.keys(counts).length,
        userCounts: Object.entries(counts).map(([user, count]) => ({ user, count })),
        fieldCounts: [{ fieldPath: 'price', count: queries }],
        ...more,
      },
    ];
    const operation = (time: number, operationType: string, more = {}): [string, string, object] => [
      DATASET,
      'operation',
      { timestampMillis: time, lastUpdatedTimestamp: time, operationType, ...more },
    ];
    await catalog.ingest(
      [DATASET, 'datasetProperties', { name: 'sales' }],
      used(NOON - 90 * DAY, 100, { [bob]: 100 }),
      used(NOON - DAY, 5, { [ann]: 4, [bob]: 1 }),
      used(NOON, 3, { [bob]: 1 }, { eventGranularity: { unit: 'DAY', multiple: 1 } }),
      operation(NOON - DAY, 'INSERT', { partitionSpec: { partition: 'north', type: 'PARTITION' } }),
      operation(NOON, 'INSERT'),
      operation(NOON + 1, 'CUSTOM', { customOperationType: 'VACUUM' }),
      [
        'urn:li:chart:(looker,c)',
        'chartUsageStatistics',
        { timestampMillis: NOON, viewsCount: 12, userCounts: [{ user: ann, viewsCount: 2 }] },
      ],
      [JOB, 'dataJobInfo', { name: 'build', type: { string: 'SQL' } }],
      [RUN, 'dataProcessInstanceProperties', { name: 'one', created: { time: NOON, actor: ann } }],
      [RUN, 'dataProcessInstanceRelationships', { parentTemplate: JOB, upstreamInstances: [] }],
      [RUN, 'dataProcessInstanceInput', { inputs: [DATASET] }],
      [
        RUN,
        'dataProcessInstanceRunEvent',
        {
          timestampMillis: NOON,
          status: 'COMPLETE',
          attempt: 1,
          durationMillis: 5_000,
          result: { type: 'SUCCESS', nativeResultType: 'airflow' },
        },
      ],
    );
  });
  afterAll(() => catalog?.stop());

  const ask = async (field: string) =>
    (await data(catalog, `query ($urn: String!) { dataset(urn: $urn) { ${field} } }`, { urn: DATASET }))
      .dataset;

  it('counts who asked a dataset, over all reports of a span and in the last 30 days', async () => {
    const { all, month, statsSummary } = await ask(`
      all: usageStats(range: ALL, timeZone: "UTC", limit: 1) {
        buckets { bucket duration resource metrics { totalSqlQueries topSqlQueries uniqueUserCount
          users { user { urn } count } fields { fieldName count } } }
        aggregations { uniqueUserCount totalSqlQueries fields { fieldName count } users { user { urn } count } } }
      month: usageStats(range: MONTH) { buckets { duration } aggregations { totalSqlQueries } }
      statsSummary { queryCountLast30Days uniqueUserCountLast30Days topUsersLast30Days { urn } }`);
    expect(all.buckets).toEqual([
      {
        ...{ bucket: NOON, duration: 'DAY', resource: DATASET },
        metrics: {
          ...{ totalSqlQueries: 3, topSqlQueries: null, uniqueUserCount: 1 },
          users: [{ user: { urn: bob }, count: 1 }],
          fields: [{ fieldName: 'price', count: 3 }],
        },
      },
    ]);
    expect(month.buckets.map(({ duration }: { duration: string }) => duration)).toEqual(['DAY', null]);
    expect(all.aggregations).toEqual({
      uniqueUserCount: 2,
      totalSqlQueries: 108,
      fields: [{ fieldName: 'price', count: 108 }],
      users: [
        { user: { urn: bob }, count: 102 },
        { user: { urn: ann }, count: 4 },
      ],
    });
    expect(month.aggregations).toEqual({ totalSqlQueries: 8 });
    expect(statsSummary).toEqual({
      queryCountLast30Days: 8,
      uniqueUserCountLast30Days: 2,
      topUsersLast30Days: [{ urn: ann }, { urn: bob }],
    });
  });

  it('counts operations, together and by the day of a time zone', async () => {
    const { operationsStats, timeseriesCapabilities } = await ask(`
      operationsStats(input: { range: WEEK, timeZone: "Asia/Kolkata" }) {
        aggregations { totalOperations totalInserts totalDeletes totalCustoms customOperationsMap { key value } }
        buckets { bucket aggregations { totalOperations } } }
      timeseriesCapabilities { assetStats { oldestOperationTime oldestDatasetUsageTime oldestDatasetProfileTime } }`);
    expect(operationsStats.aggregations).toEqual({
      totalOperations: 3,
      totalInserts: 2,
      totalDeletes: 0,
      totalCustoms: 1,
      customOperationsMap: [{ key: 'VACUUM', value: 1 }],
    });
    // Days begin five and a half hours before those of UTC there.
    const day = NOON - DAY / 2 - 5.5 * HOUR;
    expect(operationsStats.buckets).toEqual([
      { bucket: day, aggregations: { totalOperations: 2 } },
      { bucket: day - DAY, aggregations: { totalOperations: 1 } },
    ]);
    expect(timeseriesCapabilities.assetStats).toEqual({
      oldestOperationTime: NOON - DAY,
      oldestDatasetUsageTime: NOON - 90 * DAY,
      oldestDatasetProfileTime: null,
    });
    const error = await failure(
      catalog,
      `{ dataset(urn: "${DATASET}") { operationsStats(input: { timeZone: "Moon/Base" }) { buckets { bucket } } } }`,
    );
    expect(JSON.stringify(error)).toContain('Moon/Base');
  });

  it('filters operations by the partition that it shows', async () => {
    const { operations } = await ask(`operations(filter: { and: [
      { field: "partition", values: ["north"] }, { field: "operationType", values: ["INSERT"] } ] }) {
      partition timestampMillis }`);
    expect(operations).toEqual([{ partition: 'north', timestampMillis: NOON - DAY }]);
  });

  it('counts who looked at a chart, and says nothing of one without reports', async () => {
    const { seen, unseen } = await data(
      catalog,
      `{ seen: entity(urn: "urn:li:chart:(looker,c)") { ... on Chart { statsSummary { viewCount uniqueUserCountLast30Days } } }
         unseen: entity(urn: "${DATASET}") { ... on Dataset { runs(direction: OUTGOING) { total } } } }`,
    );
    expect(seen.statsSummary).toEqual({ viewCount: 12, uniqueUserCountLast30Days: 1 });
    expect(unseen.runs).toEqual({ total: 0 });
  });

  it('shows the runs that read a dataset, what they are runs of, and how they went', async () => {
    const { runs } = await ask(`runs(direction: INCOMING, start: 0, count: 5) { total runs {
      urn parentTemplate { urn }
      state(limit: 1) { status attempt timestampMillis durationMillis result { resultType nativeResultType } } } }`);
    expect(runs).toEqual({
      total: 1,
      runs: [
        {
          urn: RUN,
          parentTemplate: { urn: JOB },
          state: [
            {
              status: 'COMPLETE',
              attempt: 1,
              timestampMillis: NOON,
              durationMillis: 5_000,
              result: { resultType: 'SUCCESS', nativeResultType: 'airflow' },
            },
          ],
        },
      ],
    });
  });
});
