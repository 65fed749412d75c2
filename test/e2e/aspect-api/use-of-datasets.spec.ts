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

  it('are deleted by administrators only', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect((await truncate({ dryRun: true }, token)).status).toBe(403);
    expect((await truncate({ dryRun: false }, token)).status).toBe(403);
  });
});
