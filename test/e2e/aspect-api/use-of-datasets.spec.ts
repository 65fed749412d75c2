import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { expectRefusal } from './support.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Wednesday. */
const NOON = Date.UTC(2026, 6, 15, 12);
const ANN = 'urn:li:corpuser:ann';
const BOB = 'urn:li:corpuser:bob';
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const SALES = dataset('sales');

describe('the use of datasets', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const used = (
      timestampMillis: number,
      totalSqlQueries: number,
      counts: Record<string, number>,
    ): [string, string, object] => [
      SALES,
      'datasetUsageStatistics',
      {
        timestampMillis,
        totalSqlQueries,
        uniqueUserCount: Object.keys(counts).length,
        topSqlQueries: [`SELECT ${totalSqlQueries}`],
        userCounts: Object.entries(counts).map(([user, count]) => ({
          user,
          count,
          userEmail: `${user.split(':').at(-1)}@example.com`,
        })),
        fieldCounts: [{ fieldPath: 'price', count: totalSqlQueries }],
      },
    ];
    await catalog.ingest(
      used(NOON - 3 * DAY, 5, { [ANN]: 5 }),
      used(NOON - HOUR, 7, { [ANN]: 3, [BOB]: 4 }),
      used(NOON, 2, { [BOB]: 2 }),
    );
  });
  afterAll(() => catalog?.stop());

  const asked = (body: object, token?: string) =>
    catalog.post('/usageStats?action=queryRange', body, token === undefined ? {} : { token });

  it('is counted by days, and all together', async () => {
    const { status, body } = await asked({ resource: SALES, duration: 'DAY', rangeFromEnd: 'ALL' });
    expect(status).toBe(200);
    const day = (time: number) => time - (time % DAY);
    const user = (urn: string, count: number) => ({
      user: urn,
      count,
      userEmail: `${urn.split(':').at(-1)}@example.com`,
    });
    expect(body.value).toEqual({
      buckets: [
        {
          ...{ bucket: day(NOON - 3 * DAY), duration: 'DAY', resource: SALES },
          metrics: {
            ...{ uniqueUserCount: 1, totalSqlQueries: 5, topSqlQueries: ['SELECT 5'] },
            users: [user(ANN, 5)],
            fields: [{ fieldName: 'price', count: 5 }],
          },
        },
        {
          ...{ bucket: day(NOON), duration: 'DAY', resource: SALES },
          metrics: {
            ...{ uniqueUserCount: 2, totalSqlQueries: 9, topSqlQueries: ['SELECT 2'] },
            users: [user(BOB, 6), user(ANN, 3)],
            fields: [{ fieldName: 'price', count: 9 }],
          },
        },
      ],
      aggregations: {
        ...{ uniqueUserCount: 2, totalSqlQueries: 14 },
        users: [user(ANN, 8), user(BOB, 6)],
        fields: [{ fieldName: 'price', count: 14 }],
      },
    });
  });

  it.each([
    ['HOUR', [NOON - 3 * DAY, NOON - HOUR, NOON]],
    ['WEEK', [Date.UTC(2026, 6, 6), Date.UTC(2026, 6, 13)]],
    ['MONTH', [Date.UTC(2026, 6)]],
    ['YEAR', [Date.UTC(2026, 0)]],
  ])('is counted by %s', async (duration, buckets) => {
    const { body } = await asked({ resource: SALES, duration });
    expect(body.value.buckets.map(({ bucket }: { bucket: number }) => bucket)).toEqual(buckets);
  });

  it('is counted since a time, and in the latest spans only', async () => {
    const since = await asked({ resource: SALES, duration: 'DAY', startTime: NOON });
    expect(since.body.value.aggregations).toMatchObject({ totalSqlQueries: 2 });
    const latest = await asked({ resource: SALES, duration: 'DAY', maxBuckets: 1 });
    expect(latest.body.value.buckets).toMatchObject([{ metrics: { totalSqlQueries: 9 } }]);
    const none = await asked({ resource: dataset('unknown'), duration: 'DAY' });
    expect(none.body.value).toEqual({
      buckets: [],
      aggregations: { uniqueUserCount: 0, totalSqlQueries: 0, users: [], fields: [] },
    });
  });

  it('is counted between two times', async () => {
    const between = async (more: object) =>
      (await catalog.post('/usageStats?action=query', { resource: SALES, duration: 'DAY', ...more })).body;
    const all = (await asked({ resource: SALES, duration: 'DAY' })).body;
    expect(await between({})).toEqual(all);
    expect(await between({ startTime: 0, endTime: NOON, timeZone: 'Europe/Berlin' })).toEqual(all);
    const first = (await between({ endTime: NOON - DAY })).value;
    expect([first.buckets.length, first.aggregations.totalSqlQueries]).toEqual([1, 5]);
    const middle = (await between({ startTime: NOON - DAY, endTime: NOON - 1 })).value;
    expect(middle.aggregations).toMatchObject({ totalSqlQueries: 7 });
    expect((await between({ maxBuckets: 1 })).value.buckets).toMatchObject([
      { metrics: { totalSqlQueries: 9 } },
    ]);
    for (const [body, pointer] of [
      [{ resource: SALES }, '/duration'],
      [{ resource: SALES, duration: 'DAY', endTime: 'now' }, '/endTime'],
      [{ resource: SALES, duration: 'DAY', rangeFromEnd: 'ALL' }, '/rangeFromEnd'],
    ] as const)
      expectRefusal(
        await catalog.post('/usageStats?action=query', body),
        400,
        pointer === '/duration' ? 'PARAMETER_MISSING' : 'PARAMETER_INVALID',
        pointer,
      );
  });

  it('is taken in the older form of reports', async () => {
    const resource = dataset('reported');
    const report = (bucket: number, metrics: object) => ({ bucket, duration: 'DAY', resource, metrics });
    const send = (buckets: unknown, token?: string) =>
      catalog.post('/usageStats?action=batchIngest', { buckets }, token === undefined ? {} : { token });
    const { status, text } = await send([
      report(NOON, {
        uniqueUserCount: 1,
        users: [{ user: ANN, count: 2, userEmail: null }],
        totalSqlQueries: 2,
        topSqlQueries: null,
        fields: [{ fieldName: 'price', count: 2 }],
      }),
      report(NOON + DAY, { totalSqlQueries: 3 }),
    ]);
    expect([status, text]).toEqual([200, '']);
    const { body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      ...{ urn: resource, entity: 'dataset', aspect: 'datasetUsageStatistics' },
    });
    expect(body.value.values.map((event: any) => JSON.parse(event.aspect.value))).toEqual([
      expect.objectContaining({ timestampMillis: NOON + DAY, totalSqlQueries: 3 }),
      expect.objectContaining({
        timestampMillis: NOON,
        eventGranularity: { unit: 'DAY', multiple: 1 },
        uniqueUserCount: 1,
        totalSqlQueries: 2,
        userCounts: [{ user: ANN, count: 2 }],
        fieldCounts: [{ fieldPath: 'price', count: 2 }],
      }),
    ]);
    const { token } = await catalog.issueToken({ role: 'READER' });
    expect((await send([report(NOON, {})], token)).status).toBe(403);
    for (const [bucket, code, pointer] of [
      ['x', 'PARAMETER_INVALID', '/buckets/0'],
      [{}, 'PARAMETER_MISSING', '/buckets/0/bucket'],
      [{ ...report(NOON, {}), resource: 'urn:li:tag:x' }, 'URN_MALFORMED', '/buckets/0/resource'],
    ] as const)
      expectRefusal(await send([bucket]), 400, code, pointer);
    for (const [metrics, pointer] of [
      [{ strange: 1 }, '/buckets/0/metrics/strange'],
      [{ users: [{ user: 'ann', count: 1 }] }, '/buckets/0/metrics/userCounts/0/user'],
    ] as const)
      expectRefusal(await send([report(NOON, metrics)]), 422, 'ASPECT_INVALID', pointer);
  });

  it.each([
    [{ resource: SALES }, 'PARAMETER_MISSING', '/duration'],
    [{ resource: SALES, duration: 'DECADE' }, 'PARAMETER_INVALID', '/duration'],
    [{ resource: 'urn:li:tag:x', duration: 'DAY' }, 'PARAMETER_INVALID', '/resource'],
    [{ resource: SALES, duration: 'DAY', rangeFromEnd: 'SOON' }, 'PARAMETER_INVALID', '/rangeFromEnd'],
  ])('is not counted for %j', async (body, code, pointer) => {
    expectRefusal(await asked(body), 400, code, pointer);
  });

  it('tells who asks for the configuration in detail', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    const userType = async (options: object) =>
      (await catalog.get('/config?verbose=true', options)).body.userType;
    expect(await userType({})).toBe('admin');
    expect(await userType({ token })).toBe('user');
    expect(await userType({ token: null })).toBe('anonymous');
    expect(await userType({ token: 'no-token' })).toBe('anonymous');
  });
});

describe('events up to a time', () => {
  let catalog: TestCatalog;
  const [A, B] = [dataset('a'), dataset('b')];
  const FLOW = 'urn:li:dataFlow:(airflow,nightly,PROD)';
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const event = (urn: string, timestampMillis: number): [string, string, object] => [
      urn,
      'operation',
      { timestampMillis, lastUpdatedTimestamp: timestampMillis, operationType: 'INSERT' },
    ];
    const profile = (urn: string, timestampMillis: number): [string, string, object] => [
      urn,
      'datasetProfile',
      { timestampMillis, rowCount: 1 },
    ];
    await catalog.ingest(
      [FLOW, 'dataFlowInfo', { name: 'nightly' }],
      ...[1, 2, 3].flatMap((n) => [event(A, NOON + n), event(B, NOON + n), profile(A, NOON + n)]),
    );
  });
  afterAll(() => catalog?.stop());

  const truncate = (body: object, token?: string) =>
    catalog.post(
      '/operations?action=truncateTimeseriesAspect',
      { entityType: 'dataset', aspect: 'operation', endTimeMillis: NOON + 2, ...body },
      token === undefined ? {} : { token },
    );
  const times = async (urn: string, aspect: string): Promise<number[]> => {
    const { body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      ...{ urn, entity: 'dataset', aspect },
    });
    return body.value.values.map((each: any) => JSON.parse(each.aspect.value).timestampMillis - NOON);
  };

  it('are counted in a dry run, which is the default', async () => {
    for (const dryRun of [undefined, true])
      expect((await truncate({ dryRun })).body.value).toMatch(/^4 out of 6 .*This was a dry run/);
    expect(await times(A, 'operation')).toEqual([3, 2, 1]);
  });

  it('are deleted of all entities of the kind, and of that aspect only', async () => {
    // The field's clean-up writes names of aspects in small letters.
    const { body } = await truncate({ aspect: 'OPERATION', dryRun: false });
    expect(body.value).toMatch(/^4 out of 6 /);
    expect(await times(A, 'operation')).toEqual([3]);
    expect(await times(B, 'operation')).toEqual([3]);
    expect(await times(A, 'datasetProfile')).toEqual([3, 2, 1]);
    expect((await truncate({ dryRun: true })).body.value).toMatch(/^0 out of 2 /);
  });

  it.each([
    [{ entityType: 'nothing' }, 'ENTITY_UNKNOWN', '/entityType'],
    [{ aspect: 'nothing' }, 'ASPECT_UNKNOWN', '/aspect'],
    [{ aspect: 'status' }, 'ASPECT_KIND_WRONG', '/aspect'],
    [{ endTimeMillis: 'yesterday' }, 'PARAMETER_INVALID', '/endTimeMillis'],
  ])('are not deleted for %j', async (body, code, pointer) => {
    expectRefusal(await truncate(body), 400, code, pointer);
  });

  it('are measured', async () => {
    const { body } = await catalog.post('/operations?action=getIndexSizes', {});
    expect(body.value.indexSizes).toEqual(
      expect.arrayContaining([
        {
          ...{
            indexName: 'dataset_datasetprofileaspect_v1',
            entityName: 'dataset',
            aspectName: 'datasetProfile',
          },
          sizeInMb: expect.any(Number),
        },
      ]),
    );
    expect(body.value.indexSizes[0].sizeInMb).toBeGreaterThan(0);
    expect(body.value.indexSizes.map(({ aspectName }: any) => aspectName)).not.toContain(
      'dashboardUsageStatistics',
    );
  });

  it('are deleted before the answer, so that no task is known', async () => {
    const ask = (body: object) => catalog.post('/operations?action=getEsTaskStatus', body);
    for (const body of [{ task: 'aB1c-D_:12' }, { nodeId: 'aB1c-D_', taskId: 12 }])
      expect((await ask(body)).body).toEqual({
        value: '{"error":"Could not get task status for aB1c-D_:12"}',
      });
    expectRefusal(await ask({}), 400, 'PARAMETER_MISSING', '/task');
    expectRefusal(await ask({ nodeId: 'a' }), 400, 'PARAMETER_MISSING', '/task');
    expectRefusal(await ask({ task: 'a:0' }), 400, 'PARAMETER_INVALID', '/task');
    expectRefusal(await ask({ task: 'a:1', nodeId: 'b', taskId: 1 }), 400, 'PARAMETER_INVALID', '/task');
    expectRefusal(await ask({ nodeId: 'a b', taskId: 1 }), 400, 'PARAMETER_INVALID', '/nodeId');
  });

  it('are measured, and tasks asked for, by administrators only', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    for (const [action, body] of [
      ['getIndexSizes', {}],
      ['getEsTaskStatus', { task: 'a:1' }],
    ] as const)
      expect((await catalog.post(`/operations?action=${action}`, body, { token })).status).toBe(403);
  });

  it('are deleted by administrators only', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect((await truncate({ dryRun: true }, token)).status).toBe(403);
    expect((await truncate({ dryRun: false }, token)).status).toBe(403);
  });
});
