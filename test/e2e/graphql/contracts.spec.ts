import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, expectRefused, graphql, resultOf, withDataset } from './mutating.js';

const UPSERT = `mutation ($urn: String, $input: UpsertDataContractInput!) { upsertDataContract(urn: $urn, input: $input) {
  urn type
  properties { entityUrn freshness { assertion { urn } } schema { assertion { urn } } dataQuality { assertion { urn } } }
} }`;
const [FRESH, SHAPE, FULL, ROWS] = ['fresh', 'shape', 'full', 'rows'].map((id) => `urn:li:assertion:${id}`);

describe('contracts', () => {
  let catalog: TestCatalog;
  let orders: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    orders = await withDataset(catalog, 'orders');
    await catalog.ingest(
      ...[FRESH, SHAPE, FULL, ROWS].map((urn): [string, string, object] => [
        urn!,
        'assertionInfo',
        { type: 'CUSTOM', customAssertion: { type: 'own', entity: orders } },
      ]),
      [ANN, 'corpUserInfo', { active: true }],
    );
  });
  afterAll(() => catalog?.stop());

  const upsert = (input: object, urn?: string, token?: string) =>
    graphql(catalog, UPSERT, { ...(urn !== undefined && { urn }), input }, token);
  const on = (...urns: Array<string | undefined>) => urns.map((assertionUrn) => ({ assertionUrn }));
  const contractOf = async (urn: string): Promise<unknown> =>
    resultOf(
      await graphql(
        catalog,
        'query ($urn: String!) { dataset(urn: $urn) { contract { urn dataContractStatus { state } status { state removed } } } }',
        { urn },
      ),
      'dataset',
    ).contract;

  it('are made of assertions, one for a dataset, and written anew', async () => {
    expect(await contractOf(orders)).toBeNull();
    const first = resultOf(
      await upsert({
        ...{ entityUrn: orders, id: 'orders', state: 'PENDING' },
        ...{ freshness: on(FRESH), schema: on(SHAPE), dataQuality: on(FULL, ROWS) },
      }),
      'upsertDataContract',
    );
    const urn = 'urn:li:dataContract:orders';
    const shown = (...urns: Array<string | undefined>) => urns.map((one) => ({ assertion: { urn: one } }));
    expect(first).toEqual({
      ...{ urn, type: 'DATA_CONTRACT' },
      properties: {
        ...{
          entityUrn: orders,
          freshness: shown(FRESH),
          schema: shown(SHAPE),
          dataQuality: shown(FULL, ROWS),
        },
      },
    });
    const inState = (state: string) => ({
      ...{ urn, dataContractStatus: { state }, status: { state, removed: false } },
    });
    expect(await contractOf(orders)).toEqual(inState('PENDING'));
    const again = resultOf(await upsert({ entityUrn: orders, dataQuality: on(ROWS) }), 'upsertDataContract');
    expect(again.urn).toBe(urn);
    expect(await catalog.read(urn, 'dataContractProperties')).toEqual({
      entity: orders,
      dataQuality: [{ assertion: ROWS }],
    });
    expect(await contractOf(orders)).toEqual(inState('ACTIVE'));
    const named = resultOf(await upsert({ entityUrn: orders, schema: on(SHAPE) }, urn), 'upsertDataContract');
    expect(named.properties).toEqual({
      entityUrn: orders,
      freshness: null,
      schema: shown(SHAPE),
      dataQuality: null,
    });
  });

  it('have a status of their state and their soft deletion', async () => {
    const urn = 'urn:li:dataContract:status';
    const query =
      'query ($urn: String!) { entity(urn: $urn) { ... on DataContract { status { state removed } } } }';
    const status = async () => resultOf(await graphql(catalog, query, { urn }), 'entity').status as unknown;
    await catalog.ingest([urn, 'dataContractProperties', { entity: dataset('status') }]);
    expect(await status()).toBeNull();
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect(await status()).toEqual({ state: null, removed: true });
    await catalog.ingest([urn, 'dataContractStatus', { state: 'ACTIVE' }]);
    expect(await status()).toEqual({ state: 'ACTIVE', removed: true });
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect(await status()).toEqual({ state: 'ACTIVE', removed: false });
  });

  it('are not made about what does not exist, of other things, or by readers', async () => {
    const entityUrn = orders;
    expectRefused(
      await upsert({ entityUrn: dataset('absent') }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/entityUrn',
    );
    expectRefused(await upsert({ entityUrn: ANN }), 400, 'PARAMETER_INVALID', '/input/entityUrn');
    const absent = { entityUrn, dataQuality: on(ROWS, 'urn:li:assertion:absent') };
    expectRefused(await upsert(absent), 404, 'ENTITY_NOT_FOUND', '/input/dataQuality/1/assertionUrn');
    const user = { entityUrn, freshness: on(ANN) };
    expectRefused(await upsert(user), 400, 'PARAMETER_INVALID', '/input/freshness/0/assertionUrn');
    expectRefused(await upsert({ entityUrn }, orders), 400, 'PARAMETER_INVALID', '/urn');
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(await upsert({ entityUrn }, undefined, token), 403, 'NOT_ALLOWED');
  });
});
