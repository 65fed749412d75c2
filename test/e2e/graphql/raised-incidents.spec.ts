import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, BOB, dataset, expectRefused, graphql, resultOf, withDataset } from './mutating.js';

const RAISE = 'mutation ($input: RaiseIncidentInput!) { raiseIncident(input: $input) }';
const SET = `mutation ($urn: String!, $input: IncidentStatusInput!) { updateIncidentStatus(urn: $urn, input: $input) }`;

describe('incidents', () => {
  let catalog: TestCatalog;
  let asset: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    asset = await withDataset(catalog, 'orders');
    await catalog.ingest([ANN, 'corpUserInfo', { active: true }], [BOB, 'corpUserInfo', { active: true }]);
  });
  afterAll(() => catalog?.stop());

  const raise = (input: object, token?: string) => graphql(catalog, RAISE, { input }, token);
  const LATE = { type: 'OPERATIONAL', title: 'late' };

  it('are raised with everything that is known of them, and resolved', async () => {
    const urn = resultOf(
      await raise({
        ...{ ...LATE, customType: 'slow', description: 'not there by nine', resourceUrn: asset },
        ...{ resourceUrns: [asset], priority: 'CRITICAL', startedAt: 5, assigneeUrns: [ANN, BOB] },
        source: { type: 'MANUAL' },
        status: { state: 'ACTIVE', stage: 'TRIAGE', message: 'looking' },
      }),
      'raiseIncident',
    );
    const stamp = { time: expect.any(Number), actor: expect.any(String) };
    const info = {
      ...{ ...LATE, customType: 'slow', description: 'not there by nine', entities: [asset] },
      ...{ priority: 0, startedAt: 5, source: { type: 'MANUAL' }, created: stamp },
      assignees: [ANN, BOB].map((actor) => ({ actor, assignedAt: stamp })),
    };
    expect(await catalog.read(urn, 'incidentInfo')).toEqual({
      ...info,
      status: { state: 'ACTIVE', stage: 'TRIAGE', message: 'looking', lastUpdated: stamp },
    });
    const answer = await graphql(catalog, SET, { urn, input: { state: 'RESOLVED', stage: 'FIXED' } });
    expect(resultOf(answer, 'updateIncidentStatus')).toBe(true);
    expect(await catalog.read(urn, 'incidentInfo')).toEqual({
      ...info,
      status: { state: 'RESOLVED', stage: 'FIXED', lastUpdated: stamp },
    });
  });

  it('are found with their asset', async () => {
    const other = await withDataset(catalog, 'customers');
    const urn = resultOf(await raise({ ...LATE, resourceUrn: other }), 'raiseIncident');
    const query = `query ($urn: String!) { dataset(urn: $urn) { incidents(state: ACTIVE) { total incidents { urn } } } }`;
    const answer = await graphql(catalog, query, { urn: other });
    expect(resultOf(answer, 'dataset')).toEqual({ incidents: { total: 1, incidents: [{ urn }] } });
  });

  it.each([
    ['MLModel', 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)', 'mlModelProperties', {}],
    ['MLFeature', 'urn:li:mlFeature:(users,age)', 'mlFeatureProperties', {}],
    [
      'MLFeatureTable',
      'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)',
      'mlFeatureTableProperties',
      {},
    ],
    ['SchemaFieldEntity', `urn:li:schemaField:(${dataset('orders')},price)`, 'status', { removed: false }],
  ])('are found with a %s', async (type, other, aspect, value) => {
    await catalog.ingest([other, aspect, value]);
    const urn = resultOf(await raise({ ...LATE, resourceUrn: other }), 'raiseIncident');
    const query = `query ($urn: String!) {
      entity(urn: $urn) { ... on ${type} { incidents(state: ACTIVE, start: 0, count: 5) { total incidents { urn title } } } }
    }`;
    const answer = await graphql(catalog, query, { urn: other });
    expect(resultOf(answer, 'entity')).toEqual({
      incidents: { total: 1, incidents: [{ urn, title: 'late' }] },
    });
  });

  it('are not raised on nothing, on what does not exist, or by readers', async () => {
    expectRefused(await raise(LATE), 400, 'PARAMETER_MISSING', '/input/resourceUrn');
    expectRefused(
      await raise({ ...LATE, resourceUrn: dataset('absent') }),
      404,
      'ENTITY_NOT_FOUND',
      '/input/resourceUrn',
    );
    expectRefused(await raise({ ...LATE, resourceUrn: ANN }), 400, 'PARAMETER_INVALID', '/input/resourceUrn');
    expectRefused(
      await raise({ ...LATE, resourceUrn: asset, assigneeUrns: [asset] }),
      400,
      'PARAMETER_INVALID',
      '/input/assigneeUrns',
    );
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(await raise({ ...LATE, resourceUrn: asset }, token), 403, 'NOT_ALLOWED');
  });

  it('have no state when they do not exist', async () => {
    const input = { state: 'RESOLVED' };
    const absent = await graphql(catalog, SET, { urn: 'urn:li:incident:absent', input });
    expectRefused(absent, 404, 'ENTITY_NOT_FOUND', '/urn');
    expectRefused(await graphql(catalog, SET, { urn: asset, input }), 400, 'ASPECT_UNKNOWN', '/urn');
  });
});
