import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from './support.js';

const [ORDERS, PARTS] = [dataset('versions.orders'), dataset('versions.parts')];

describe('entities with chosen versions of their aspects', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    for (const name of ['first', 'second', 'third'])
      await catalog.ingest([ORDERS, 'datasetProperties', { name }], [PARTS, 'datasetProperties', { name }]);
    await catalog.ingest([ORDERS, 'status', { removed: false }]);
  });
  afterAll(() => catalog?.stop());

  const ask = (ids: string[], more = '&entityType=dataset', options: object = {}) =>
    catalog.get(`/entitiesVersionedV2?ids=List(${ids.map(encodeURIComponent).join(',')})${more}`, options);
  const id = (urn: string, stamp: string) => `(urn:${urn},versionStamp:${stamp})`;
  const names = ({ body }: any): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries<any>(body.results).map(([key, { aspects }]) => [
        key,
        [aspects.datasetProperties?.version, aspects.datasetProperties?.value.name],
      ]),
    );

  it('stand under the ids as they were given', async () => {
    const asked = [
      id(ORDERS, 'datasetProperties:1'),
      id(ORDERS, 'datasetProperties:2;status:1'),
      id(PARTS, ''),
      `(${PARTS} , datasetProperties:3)`,
      `(${ORDERS} , null)`,
      ORDERS,
    ];
    const answer = await ask(asked);
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual({
      [asked[0]!]: [1, 'first'],
      [asked[1]!]: [2, 'second'],
      [asked[2]!]: [0, 'third'],
      [asked[3]!]: [3, 'third'],
      [asked[4]!]: [0, 'third'],
      [asked[5]!]: [0, 'third'],
    });
    const entity = answer.body.results[asked[1]!];
    expect(entity).toMatchObject({ urn: ORDERS, entityName: 'dataset' });
    expect(entity.aspects.status).toEqual({
      ...{ name: 'status', type: 'VERSIONED', version: 1, value: { removed: false } },
      ...{ created: expect.any(Object), systemMetadata: expect.any(Object) },
    });
    expect(entity.aspects.datasetKey.version).toBe(0);
    expect([answer.body.statuses, answer.body.errors]).toEqual([{}, {}]);
  });

  it('have the aspects that were asked for, and no version that there is not', async () => {
    const { body } = await ask(
      [id(ORDERS, 'datasetProperties:9')],
      '&entityType=dataset&aspects=List(datasetProperties)',
    );
    expect(Object.keys(body.results[id(ORDERS, 'datasetProperties:9')].aspects)).toEqual(['datasetKey']);
    const missing = id(dataset('versions.nobody'), 'status:0');
    const none = await ask([missing]);
    expect([none.body.results, Object.keys(none.body.errors)]).toEqual([{}, [missing]]);
  });

  it.each<[string[], string, string, string]>([
    [[ORDERS], '', 'PARAMETER_MISSING', '/entityType'],
    [[ORDERS], '&entityType=nothing', 'ENTITY_UNKNOWN', '/entityType'],
    [[ORDERS], '&entityType=tag', 'URN_MALFORMED', '/ids/0'],
    [[ORDERS, `(${ORDERS}`], '&entityType=dataset', 'PARAMETER_INVALID', '/ids'],
    [[id(ORDERS, 'status')], '&entityType=dataset', 'PARAMETER_INVALID', '/ids/0'],
    [[id(ORDERS, 'status:-1')], '&entityType=dataset', 'PARAMETER_INVALID', '/ids/0'],
    [[id(ORDERS, 'nothing:1')], '&entityType=dataset', 'ASPECT_UNKNOWN', '/ids/0'],
    [[id(ORDERS, 'operation:1')], '&entityType=dataset', 'ASPECT_KIND_WRONG', '/ids/0'],
  ])('are not read for %j%s', async (ids, more, code, pointer) => {
    expectRefusal(await ask(ids, more), 400, code, pointer === '/ids' ? undefined : pointer);
  });

  it('need the version of the protocol', async () => {
    const answer = await ask([ORDERS], '&entityType=dataset', {
      headers: { 'x-restli-protocol-version': '' },
    });
    expectRefusal(answer, 400, 'PROTOCOL_VERSION_MISSING');
  });
});
