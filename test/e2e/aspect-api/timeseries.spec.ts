import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from './support.js';

const URN = dataset('shop.orders');
const DAY = 86_400_000;
const START = 1_700_000_000_000;
const profile = (day: number, more: object = {}) => ({
  timestampMillis: START + day * DAY,
  rowCount: day * 100,
  columnCount: 3,
  ...more,
});

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  // Not in the order of time.
  await catalog.ingest(
    ...[3, 0, 4, 1, 2].map((day): [string, string, unknown] => [URN, 'datasetProfile', profile(day)]),
  );
});
afterAll(() => catalog.stop());

const ask = (more: object = {}) =>
  catalog.post('/aspects?action=getTimeseriesAspectValues', {
    urn: URN,
    entity: 'dataset',
    aspect: 'datasetProfile',
    ...more,
  });
const values = async (more: object = {}): Promise<Array<Record<string, unknown>>> =>
  (await ask(more)).body.value.values.map((v: { aspect: { value: string } }) => JSON.parse(v.aspect.value));
const days = async (more: object = {}) =>
  (await values(more)).map((v) => (Number(v['timestampMillis']) - START) / DAY);

describe('getTimeseriesAspectValues', () => {
  it('answers enveloped aspects, newest first', async () => {
    const { status, body } = await ask({ startTimeMillis: START + 3 * DAY, endTimeMillis: START + 9 * DAY });
    expect(status).toBe(200);
    expect(body.value).toMatchObject({
      limit: 10_000,
      entityName: 'dataset',
      aspectName: 'datasetProfile',
      startTimeMillis: START + 3 * DAY,
      endTimeMillis: START + 9 * DAY,
    });
    expect(body.value.values).toMatchObject(
      [4, 3].map((day) => ({
        aspect: { value: JSON.stringify(profile(day)), contentType: 'application/json' },
      })),
    );
  });

  it.each<[object, number[]]>([
    [{}, [4, 3, 2, 1, 0]],
    [{ startTimeMillis: START + DAY, endTimeMillis: START + 3 * DAY }, [3, 2, 1]],
    [{ startTimeMillis: START + DAY + 1, endTimeMillis: START + 3 * DAY - 1 }, [2]],
    [{ startTimeMillis: START + 2 * DAY }, [4, 3, 2]],
    [{ endTimeMillis: START }, [0]],
    [{ endTimeMillis: START - 1 }, []],
    [{ startTimeMillis: START + 3 * DAY, endTimeMillis: START }, []],
    [{ startTimeMillis: -1 }, [4, 3, 2, 1, 0]],
    [{ startTimeMillis: String(START + 4 * DAY) }, [4]],
    [{ limit: 2 }, [4, 3]],
    [{ limit: 10_000_000 }, [4, 3, 2, 1, 0]],
    [{ latestValue: true }, [4]],
    [{ sort: { field: 'timestampMillis', order: 'ASCENDING' }, limit: 2 }, [0, 1]],
    [{ entity: 'DATASET', aspect: 'datasetprofile', limit: 1 }, [4]],
  ])('for %j answers the days %j', async (more, expected) => {
    expect(await days(more)).toEqual(expected);
  });

  const filter = (field: string, condition: string, ...wanted: string[]) => ({
    filter: { or: [{ and: [{ field, condition, values: wanted }] }] },
  });
  it.each<[object, number[]]>([
    [filter('rowCount', 'EQUAL', '200'), [2]],
    [filter('rowCount', 'EQUAL', '200', '400'), [4, 2]],
    [filter('rowCount', 'GREATER_THAN', '200'), [4, 3]],
    [filter('rowCount', 'LESS_THAN_OR_EQUAL_TO', '100'), [1, 0]],
    [filter('columnCount', 'EQUAL', '4'), []],
    [{ ...filter('rowCount', 'GREATER_THAN', '0'), limit: 2 }, [4, 3]],
    [
      {
        filter: {
          or: [
            { and: [{ field: 'rowCount', condition: 'EQUAL', values: ['0'] }] },
            { and: [{ field: 'rowCount', condition: 'EQUAL', values: ['300'] }] },
          ],
        },
      },
      [3, 0],
    ],
    [
      {
        filter: { or: [{ and: [{ field: 'rowCount', condition: 'EQUAL', values: ['0'], negated: true }] }] },
      },
      [4, 3, 2, 1],
    ],
    [{ filter: { criteria: [{ field: 'rowCount', condition: 'EQUAL', value: '100' }] } }, [1]],
    [{ filter: { or: [] } }, [4, 3, 2, 1, 0]],
  ])('filtered by %j answers the days %j', async (more, expected) => {
    expect(await days(more)).toEqual(expected);
  });

  it.each([
    [
      'datasetProfile',
      profile(1, {
        fieldProfiles: [
          {
            fieldPath: 'a',
            uniqueCount: 2,
            uniqueProportion: 0.5,
            nullCount: 0,
            nullProportion: 0,
            min: '1',
            max: '2',
            mean: '1.5',
            median: '1.5',
            sampleValues: ['1', '2'],
            distinctValueFrequencies: [{ value: '1', frequency: 2 }],
          },
        ],
      }),
    ],
    [
      'datasetUsageStatistics',
      {
        timestampMillis: START,
        uniqueUserCount: 2,
        totalSqlQueries: 5,
        fieldCounts: [{ fieldPath: 'a', count: 3 }],
      },
    ],
  ])('gives back every field of %s', async (aspect, value) => {
    const urn = dataset(`t.${aspect}`);
    await catalog.ingest([urn, aspect, value]);
    expect(await values({ urn, aspect })).toEqual([value]);
  });

  it('keeps events of one time apart, and two that are equal as one', async () => {
    const urn = dataset('t.same');
    await catalog.ingest(
      [urn, 'datasetProfile', profile(0, { messageId: 'a' })],
      [urn, 'datasetProfile', profile(0, { messageId: 'b' })],
    );
    await catalog.ingest([urn, 'datasetProfile', profile(0, { messageId: 'b', rowCount: 9 })]);
    const found = (await values({ urn })).map(({ messageId, rowCount }) => ({ messageId, rowCount }));
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { messageId: 'a', rowCount: 0 },
        { messageId: 'b', rowCount: 9 },
      ]),
    );
  });

  it('keeps events of one entity from another, and lets them go with it', async () => {
    const urn = dataset('t.gone');
    await catalog.ingest([urn, 'datasetProfile', profile(0)]);
    expect(await values({ urn })).toHaveLength(1);
    await catalog.propose(urn, 'datasetKey', undefined, { changeType: 'DELETE' });
    expect(await values({ urn })).toEqual([]);
    expect(await values()).toHaveLength(5);
  });

  it('creates the entity, but is no aspect to read by version', async () => {
    const urn = dataset('t.first');
    await catalog.ingest([urn, 'datasetProfile', profile(0)]);
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).body.aspects).not.toHaveProperty(
      'datasetProfile',
    );
    expectRefusal(
      await catalog.get(`/aspects/${encoded(urn)}?aspect=datasetProfile`),
      400,
      'ASPECT_KIND_WRONG',
      '/aspect',
    );
    expect(await values({ urn: dataset('t.unknown') })).toEqual([]);
  });

  it.each<[object, string, string]>([
    [{ aspect: 'status' }, 'ASPECT_KIND_WRONG', '/aspect'],
    [{ aspect: 'nope' }, 'ASPECT_UNKNOWN', '/aspect'],
    [{ aspect: 'chartUsageStatistics' }, 'ASPECT_UNKNOWN', '/aspect'],
    [{ entity: 'nope' }, 'ENTITY_UNKNOWN', '/entity'],
    [{ entity: 'chart' }, 'PARAMETER_INVALID', '/urn'],
    [{ urn: 'orders' }, 'URN_MALFORMED', '/urn'],
    [{ urn: undefined }, 'PARAMETER_MISSING', '/urn'],
    [{ aspect: undefined }, 'PARAMETER_MISSING', '/aspect'],
    [{ startTimeMillis: 'yesterday' }, 'PARAMETER_INVALID', '/startTimeMillis'],
    [{ endTimeMillis: 1.5 }, 'PARAMETER_INVALID', '/endTimeMillis'],
    [{ limit: 0 }, 'PARAMETER_INVALID', '/limit'],
    [{ limit: -5 }, 'PARAMETER_INVALID', '/limit'],
    [{ sort: { field: 'rowCount' } }, 'PARAMETER_INVALID', '/sort/field'],
    [{ sort: { field: 'timestampMillis', order: 'UP' } }, 'PARAMETER_INVALID', '/sort/order'],
    [{ latest: true }, 'PARAMETER_INVALID', '/latest'],
    [filter('nope', 'EQUAL', '1'), 'FILTER_INVALID', '/filter/or/0/and/0/field'],
    [filter('rowCount', 'ABOUT', '1'), 'FILTER_INVALID', '/filter/or/0/and/0/condition'],
    [filter('rowCount', 'GREATER_THAN', 'many'), 'FILTER_INVALID', '/filter/or/0/and/0/values'],
    [{ filter: [] }, 'FILTER_INVALID', '/filter'],
  ])('refuses %j', async (more, code, pointer) => {
    expectRefusal(await ask(more), 400, code, pointer);
  });

  it.each([
    [{ columnCount: 1 }, '/proposal/aspect/value/timestampMillis'],
    [profile(0, { rowCount: 'many' }), '/proposal/aspect/value/rowCount'],
    [profile(0, { timestampMillis: 1.5 }), '/proposal/aspect/value/timestampMillis'],
  ])('has no room for %j', async (value, pointer) => {
    const urn = dataset('t.bad');
    expectRefusal(await catalog.propose(urn, 'datasetProfile', value), 422, 'ASPECT_INVALID', pointer);
    expect(await values({ urn })).toEqual([]);
  });

  it.each(['PATCH', 'DELETE', 'CREATE'])('cannot be written with %s', async (changeType) => {
    expectRefusal(
      await catalog.propose(URN, 'datasetProfile', profile(9), { changeType }),
      400,
      'PROPOSAL_MALFORMED',
      '/proposal/changeType',
    );
  });
});

it('events with long identities stay apart, and one that is sent again replaces itself', async () => {
  const urn = dataset('shop.partitioned');
  const event = (partition: string, rowCount: number): [string, string, unknown] => [
    urn,
    'datasetProfile',
    { timestampMillis: START, rowCount, partitionSpec: { type: 'PARTITION', partition } },
  ];
  const long = 'ü'.repeat(1000);
  await catalog.ingest(event(`${long}a`, 1), event(`${long}b`, 2), event(long.slice(0, 100), 3));
  await catalog.ingest(event(`${long}a`, 4));
  const counts = (await values({ urn })).map((value) => value['rowCount']);
  expect(counts.sort()).toEqual([2, 3, 4]);
});
