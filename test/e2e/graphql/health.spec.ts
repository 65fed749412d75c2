import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data } from './support.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [ORDERS, ITEMS, PLAIN] = [dataset('orders'), dataset('items'), dataset('plain')];
const CHART = 'urn:li:chart:(looker,daily)';
const assertion = (id: string) => `urn:li:assertion:${id}`;
const incident = (id: string) => `urn:li:incident:${id}`;
const STAMP = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ann' };

const checks = (id: string, entity: string): [string, string, object] => [
  assertion(id),
  'assertionInfo',
  { type: 'CUSTOM', customAssertion: { type: 'rows', entity }, source: { type: 'EXTERNAL' } },
];
const raised = (id: string, entities: string[], state: string): [string, string, object] => [
  incident(id),
  'incidentInfo',
  {
    ...{ type: 'OPERATIONAL', entities, created: STAMP },
    status: { state, lastUpdated: STAMP },
  },
];

describe('how assets are, over GraphQL', () => {
  let catalog: TestCatalog;
  const healthOf = async (urn: string): Promise<any[]> => {
    const asked = `query ($urn: String!) { entity(urn: $urn) {
      ... on Dataset { health { type status message causes } } ... on Chart { health { type status message causes } } } }`;
    const { entity } = await data(catalog, asked, { urn });
    return entity.health;
  };
  const report = (id: string, type: string, timestampMillis: number) =>
    data(
      catalog,
      `mutation ($urn: String!, $result: AssertionResultInput!) { reportAssertionResult(urn: $urn, result: $result) }`,
      { urn: assertion(id), result: { type, timestampMillis } },
    );
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...[ORDERS, ITEMS, PLAIN].map((urn): [string, string, object] => [urn, 'datasetProperties', {}]),
      [
        CHART,
        'chartInfo',
        { title: 'daily', description: '', lastModified: { created: STAMP, lastModified: STAMP } },
      ],
      checks('rows', ORDERS),
      checks('fresh', ORDERS),
      checks('unrun', ITEMS),
      raised('late', [ORDERS, CHART], 'ACTIVE'),
      raised('old', [ITEMS], 'RESOLVED'),
    );
  });
  afterAll(() => catalog?.stop());

  it('nothing is said of an asset without assertions and incidents', async () => {
    expect(await healthOf(PLAIN)).toEqual([]);
  });

  it('it follows the last result of each assertion', async () => {
    await report('rows', 'SUCCESS', 2_000);
    expect((await healthOf(ORDERS))[0]).toEqual({
      ...{ type: 'ASSERTIONS', status: 'PASS', causes: [] },
      message: '1 of 2 assertions passed at the last run',
    });
    await report('fresh', 'ERROR', 1_000);
    expect((await healthOf(ORDERS))[0]).toEqual({
      ...{ type: 'ASSERTIONS', status: 'WARN', causes: [assertion('fresh')] },
      message: '1 of 2 assertions could not be evaluated',
    });
    await report('rows', 'FAILURE', 3_000);
    await report('rows', 'SUCCESS', 2_500);
    expect((await healthOf(ORDERS))[0]).toEqual({
      ...{ type: 'ASSERTIONS', status: 'FAIL', causes: [assertion('rows')] },
      message: '1 of 2 assertions failed at the last run',
    });
    await report('rows', 'SUCCESS', 4_000);
    await report('fresh', 'SUCCESS', 4_000);
    expect((await healthOf(ORDERS))[0].status).toBe('PASS');
  });

  it('it follows the incidents, which pass when they are over', async () => {
    const active = {
      type: 'INCIDENTS',
      status: 'FAIL',
      message: '1 active incident',
      causes: [incident('late')],
    };
    expect((await healthOf(ORDERS))[1]).toEqual(active);
    expect(await healthOf(CHART)).toEqual([active]);
    expect(await healthOf(ITEMS)).toEqual([
      { type: 'INCIDENTS', status: 'PASS', message: '0 active incidents', causes: [] },
    ]);
    await data(
      catalog,
      `mutation { updateIncidentStatus(urn: "${incident('late')}", input: { state: RESOLVED }) }`,
    );
    expect((await healthOf(CHART))[0]).toMatchObject({ status: 'PASS', causes: [] });
  });

  it('soft-deleted assertions and incidents say nothing', async () => {
    await report('unrun', 'FAILURE', 1_000);
    expect((await healthOf(ITEMS)).map(({ type }) => type)).toEqual(['ASSERTIONS', 'INCIDENTS']);
    await catalog.ingest([assertion('unrun'), 'status', { removed: true }]);
    expect((await healthOf(ITEMS)).map(({ type }) => type)).toEqual(['INCIDENTS']);
  });
});
