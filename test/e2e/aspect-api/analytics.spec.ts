import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from './support.js';

const DAY = 86_400_000;
/** A Wednesday. */
const NOON = Date.UTC(2026, 6, 15, 12);
const MIDNIGHT = NOON - DAY / 2;
const [ANN, BOB] = ['urn:li:corpuser:ann', 'urn:li:corpuser:bob'] as const;
const [SALES, STOCK] = [dataset('sales'), dataset('stock')];
const ASPECT = { entityName: 'dataset', aspectName: 'datasetUsageStatistics' };
const latest = (fieldPath: string) => ({ fieldPath, aggregationType: 'LATEST' });
const sum = (fieldPath: string) => ({ fieldPath, aggregationType: 'SUM' });
const cardinality = (fieldPath: string) => ({ fieldPath, aggregationType: 'CARDINALITY' });
const by = (key: string) => ({ key, type: 'STRING_GROUPING_BUCKET' });
const per = (unit: string, multiple = 1) => ({
  ...{ key: 'timestampMillis', type: 'DATE_GROUPING_BUCKET' },
  timeWindowSize: { unit, multiple },
});

describe('tables of events', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const used = (
      urn: string,
      timestampMillis: number,
      totalSqlQueries: number,
      counts: Record<string, number>,
    ): [string, string, object] => [
      urn,
      'datasetUsageStatistics',
      {
        ...{ timestampMillis, totalSqlQueries, uniqueUserCount: Object.keys(counts).length },
        topSqlQueries: [`SELECT ${totalSqlQueries}`],
        userCounts: Object.entries(counts).map(([user, count]) => ({ user, count })),
      },
    ];
    await catalog.ingest(
      used(SALES, NOON - 3 * DAY, 5, { [ANN]: 5 }),
      used(SALES, NOON - 3_600_000, 7, { [ANN]: 3, [BOB]: 4 }),
      used(SALES, NOON, 2, { [BOB]: 2 }),
      used(STOCK, NOON, 1, { [ANN]: 1 }),
      [STOCK, 'datasetProfile', { timestampMillis: NOON, rowCount: 3 }],
    );
  });
  afterAll(() => catalog?.stop());

  const ask = (body: object, token?: string) =>
    catalog.post(
      '/analytics?action=getTimeseriesStats',
      { ...ASPECT, ...body },
      token === undefined ? {} : { token },
    );
  const table = async (body: object) => (await ask(body)).body.value.table;

  it('have a row for each day, and say what was asked', async () => {
    const asked = {
      filter: { criteria: [{ field: 'urn', value: SALES }] },
      metrics: [latest('uniqueUserCount')],
      buckets: [per('DAY')],
    };
    expect((await ask(asked)).body).toEqual({
      value: {
        ...ASPECT,
        filter: asked.filter,
        aggregationSpecs: asked.metrics,
        groupingBuckets: asked.buckets,
        table: {
          columnNames: ['timestampMillis', 'latest_uniqueUserCount'],
          columnTypes: ['long', 'int'],
          rows: [
            [String(MIDNIGHT - 3 * DAY), '1'],
            [String(MIDNIGHT), '1'],
          ],
        },
      },
    });
  });

  it('sum, count and name the latest', async () => {
    expect(
      await table({
        metrics: [sum('totalSqlQueries'), latest('topSqlQueries'), cardinality('uniqueUserCount')],
        buckets: [by('urn')],
      }),
    ).toEqual({
      columnNames: ['urn', 'sum_totalSqlQueries', 'latest_topSqlQueries', 'cardinality_uniqueUserCount'],
      columnTypes: ['string', 'double', 'array', 'long'],
      rows: [
        [SALES, '14', '["SELECT 2"]', '2'],
        [STOCK, '1', '["SELECT 1"]', '1'],
      ],
    });
    expect((await table({ metrics: [sum('totalSqlQueries')] })).rows).toEqual([['15']]);
    expect((await table({ metrics: [latest('messageId')], buckets: [by('urn')] })).rows[0]).toEqual([
      SALES,
      'NULL',
    ]);
    expect((await table({ metrics: [sum('totalSqlQueries')], buckets: [by('messageId')] })).rows).toEqual([]);
  });

  it('look at the elements of a list', async () => {
    expect(
      await table({
        metrics: [sum('userCounts.count'), latest('userCounts.userEmail')],
        buckets: [by('userCounts.user'), per('WEEK')],
      }),
    ).toEqual({
      columnNames: [
        'userCounts.user',
        'timestampMillis',
        'sum_userCounts.count',
        'latest_userCounts.userEmail',
      ],
      columnTypes: ['string', 'long', 'double', 'string'],
      rows: [
        [ANN, String(Date.UTC(2026, 6, 6)), '5', 'NULL'],
        [ANN, String(Date.UTC(2026, 6, 13)), '4', 'NULL'],
        [BOB, String(Date.UTC(2026, 6, 13)), '6', 'NULL'],
      ],
    });
  });

  it.each([
    ['HOUR', 1, [NOON - 3 * DAY, NOON - 3_600_000, NOON]],
    ['DAY', 2, [MIDNIGHT - 3 * DAY, MIDNIGHT - DAY]],
    ['MONTH', 1, [Date.UTC(2026, 6)]],
    ['QUARTER', 1, [Date.UTC(2026, 6)]],
    ['YEAR', 1, [Date.UTC(2026, 0)]],
  ])('have spans of %s, %d of them', async (unit, multiple, begins) => {
    const { rows } = await table({ metrics: [sum('totalSqlQueries')], buckets: [per(unit, multiple)] });
    expect(rows.map(([begin]: string[]) => Number(begin))).toEqual(begins);
  });

  it('are of what a filter lets through', async () => {
    const rows = async (filter: object) =>
      (await table({ filter, metrics: [sum('totalSqlQueries')], buckets: [by('urn')] })).rows;
    const alternatives = [SALES, STOCK, dataset('unknown')].map((value) => ({
      and: [{ field: 'urn', value }],
    }));
    expect(await rows({ or: alternatives })).toEqual([
      [SALES, '14'],
      [STOCK, '1'],
    ]);
    const since = { field: 'timestampMillis', condition: 'GREATER_THAN_OR_EQUAL_TO', values: [String(NOON)] };
    expect(await rows({ or: [{ and: [since] }] })).toEqual([
      [SALES, '2'],
      [STOCK, '1'],
    ]);
    const before = { field: 'timestampMillis', condition: 'LESS_THAN', values: [String(NOON)] };
    expect(await rows({ or: [{ and: [before, { field: 'urn', values: [SALES] }] }] })).toEqual([
      [SALES, '12'],
    ]);
    const other = { field: 'urn', values: [SALES], negated: true };
    expect(await rows({ or: [{ and: [other] }, { and: [before] }] })).toEqual([
      [SALES, '12'],
      [STOCK, '1'],
    ]);
  });

  it.each<[object, string, string]>([
    [{}, 'PARAMETER_MISSING', '/metrics'],
    [{ entityName: 'nothing', metrics: [] }, 'ENTITY_UNKNOWN', '/entityName'],
    [{ aspectName: 'nothing', metrics: [] }, 'ASPECT_UNKNOWN', '/aspectName'],
    [{ aspectName: 'status', metrics: [] }, 'ASPECT_KIND_WRONG', '/aspectName'],
    [{ metrics: [{ fieldPath: 'x' }] }, 'PARAMETER_MISSING', '/metrics/0/aggregationType'],
    [{ metrics: [latest('nothing')] }, 'PARAMETER_INVALID', '/metrics/0/fieldPath'],
    [{ metrics: [sum('topSqlQueries')] }, 'PARAMETER_INVALID', '/metrics/0/fieldPath'],
    [
      { metrics: [sum('userCounts.count'), sum('fieldCounts.count')] },
      'PARAMETER_INVALID',
      '/metrics/1/fieldPath',
    ],
    [{ metrics: [], buckets: [by('nothing')] }, 'PARAMETER_INVALID', '/buckets/0/key'],
    [
      { metrics: [], buckets: [{ ...per('DAY'), key: 'totalSqlQueries' }] },
      'PARAMETER_INVALID',
      '/buckets/0/key',
    ],
    [
      { metrics: [], buckets: [{ key: 'timestampMillis', type: 'DATE_GROUPING_BUCKET' }] },
      'PARAMETER_MISSING',
      '/buckets/0/timeWindowSize',
    ],
    [{ metrics: [], buckets: [per('EON')] }, 'PARAMETER_INVALID', '/buckets/0/timeWindowSize/unit'],
    [
      { metrics: [], filter: { criteria: [{ field: 'nothing', value: '1' }] } },
      'FILTER_INVALID',
      '/filter/criteria/0/field',
    ],
  ])('are not made for %j', async (body, code, pointer) => {
    expectRefusal(await ask(body), 400, code, pointer);
  });
});
