import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, eventually, expectRefused, graphql, resultOf } from './mutating.js';

const CREATE =
  'mutation ($input: CreateViewInput!) { createView(input: $input) { urn name description viewType } }';
const UPDATE = `mutation ($urn: String!, $input: UpdateViewInput!) { updateView(urn: $urn, input: $input) { name description } }`;
const DELETE = 'mutation ($urn: String!) { deleteView(urn: $urn) }';
const [ORDERS, PARTS] = [dataset('orders'), dataset('parts')];

describe('views', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders', description: 'what was bought' }],
      [PARTS, 'datasetProperties', { name: 'parts' }],
      ['urn:li:tag:parts', 'tagProperties', { name: 'parts' }],
    );
  });
  afterAll(() => catalog?.stop());

  const filter = (operator: string, ...urns: string[]) => ({
    operator,
    filters: urns.map((urn) => ({ field: 'urn', values: [urn] })),
  });
  const view = (operator: string, ...urns: string[]) => ({
    ...{ viewType: 'PERSONAL', name: 'mine', description: 'of mine' },
    definition: { entityTypes: ['DATASET'], filter: filter(operator, ...urns) },
  });
  const create = async (input: object) => resultOf(await graphql(catalog, CREATE, { input }), 'createView');
  const seen = async (viewUrn: string): Promise<string[]> => {
    const input = { query: '*', viewUrn };
    const query = `query ($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { searchResults { entity { urn } } } }`;
    const found = resultOf(await graphql(catalog, query, { input }), 'searchAcrossEntities');
    return found.searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn).sort();
  };

  it('keep a filter, which searches take', async () => {
    const { urn, ...said } = await create(view('OR', ORDERS, PARTS));
    expect(said).toEqual({ name: 'mine', description: 'of mine', viewType: 'PERSONAL' });
    await eventually(async () => expect(await seen(urn)).toEqual([ORDERS, PARTS]));
    const none = await create(view('AND', ORDERS, PARTS));
    expect(await seen(none.urn)).toEqual([]);
    await eventually(async () => {
      const mine = '{ listMyViews(input: {}) { views { urn } } }';
      const { views } = resultOf(await graphql(catalog, mine), 'listMyViews');
      expect(views).toEqual(expect.arrayContaining([{ urn }, { urn: none.urn }]));
    });
  });

  it('are changed in part, and deleted', async () => {
    const { urn } = await create(view('OR', ORDERS));
    const update = (input: object, of = urn) => graphql(catalog, UPDATE, { urn: of, input });
    expect(resultOf(await update({ name: 'other' }), 'updateView')).toEqual({
      name: 'other',
      description: 'of mine',
    });
    expect(await seen(urn)).toEqual([ORDERS]);
    const definition = { entityTypes: [], filter: filter('AND', 'urn:li:tag:parts') };
    resultOf(await update({ definition }), 'updateView');
    expect(await catalog.read(urn, 'dataHubViewInfo')).toMatchObject({ name: 'other', type: 'PERSONAL' });
    expect(await seen(urn)).toEqual(['urn:li:tag:parts']);
    expectRefused(await update({ name: ' ' }), 400, 'PARAMETER_INVALID', '/input/name');
    expectRefused(await update({ name: 'x' }, ORDERS), 400, 'PARAMETER_INVALID', '/urn');
    expectRefused(await update({ name: 'x' }, 'urn:li:dataHubView:no'), 404, 'ENTITY_NOT_FOUND', '/urn');
    expect(resultOf(await graphql(catalog, DELETE, { urn }), 'deleteView')).toBe(true);
    expectRefused(await graphql(catalog, DELETE, { urn }), 404, 'ENTITY_NOT_FOUND', '/urn');
  });

  it('are not made without a name, or by readers', async () => {
    const input = view('AND', ORDERS);
    const blank = { input: { ...input, name: '' } };
    expectRefused(await graphql(catalog, CREATE, blank), 400, 'PARAMETER_INVALID', '/input/name');
    const { token } = await catalog.issueToken({ role: 'READER' });
    expectRefused(await graphql(catalog, CREATE, { input }, token), 403, 'NOT_ALLOWED');
  });
});
