import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { data, failure } from '../graphql/support.js';

const ORDERS = dataset('shop.orders');
const ANN = 'urn:li:corpuser:ann';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [ORDERS, 'datasetProperties', { name: 'orders' }],
    [ANN, 'corpUserInfo', { active: true, displayName: 'Ann' }],
  );
});
afterAll(() => catalog.stop());

describe('a relationship that the model does not have', () => {
  const WRONG = 'OwnedBye';
  const message = `there is no relationship "${WRONG}"; did you mean "OwnedBy"?`;
  const refused: Array<[surface: string, method: string, path: string, body: unknown, pointer: string]> = [
    [
      'aspect API',
      'GET',
      `/relationships?direction=OUTGOING&urn=${encoded(ORDERS)}&types=List(OwnedBy,${WRONG})`,
      undefined,
      '/types/1',
    ],
    [
      'relationships/v1',
      'GET',
      `/openapi/relationships/v1?direction=OUTGOING&urn=${encoded(ORDERS)}&relationshipTypes=${WRONG}`,
      undefined,
      '/relationshipTypes/0',
    ],
    ...['v2', 'v3'].flatMap((version): Array<[string, string, string, unknown, string]> => [
      [
        `OpenAPI ${version}, by type`,
        'GET',
        `/openapi/${version}/relationship/${WRONG}`,
        undefined,
        '/relationshipType',
      ],
      [
        `OpenAPI ${version}, of an entity`,
        'GET',
        `/openapi/${version}/relationship/dataset/${encoded(ORDERS)}?relationshipType=OwnedBy,${WRONG}`,
        undefined,
        '/relationshipType/1',
      ],
      [
        `OpenAPI ${version}, scroll`,
        'POST',
        `/openapi/${version}/relationship/scroll?relationshipTypes=${WRONG}`,
        {},
        '/relationshipTypes/0',
      ],
      [
        `OpenAPI ${version}, filter of a scroll`,
        'POST',
        `/openapi/${version}/relationship/scroll`,
        { edgeFilter: { and: [{ criteria: [{ field: 'relationshipType', values: ['OwnedBy', WRONG] }] }] } },
        '/edgeFilter/and/0/criteria/0/values/1',
      ],
    ]),
    [
      'OpenAPI v3, lineage',
      'POST',
      `/openapi/v3/lineage/scroll?relationshipTypes=${WRONG}`,
      { urns: [ORDERS] },
      '/relationshipTypes/0',
    ],
  ];

  it.each(refused)('is refused with the nearest name: %s', async (_, method, path, body, pointer) => {
    const answer = await catalog.request(method, path, body === undefined ? {} : { body });
    expectRefusal(answer, 400, 'PARAMETER_INVALID', pointer);
    expect(answer.body.message).toBe(message);
  });

  it('is refused with the nearest name: GraphQL', async () => {
    const query = `query ($types: [String!]!) { entity(urn: "${ORDERS}") {
      relationships(input: { types: $types, direction: OUTGOING }) { total } } }`;
    const error = await failure(catalog, query, { types: ['OwnedBy', WRONG] });
    expect(error.message).toContain(message);
    expect(error.extensions).toMatchObject({ code: 400, pointer: '/input/types/1' });
    expect(await data(catalog, query, { types: ['OwnedBy'] })).toEqual({
      entity: { relationships: { total: 0 } },
    });
  });

  it('names no other when none is near', async () => {
    const path = `/relationships?direction=OUTGOING&urn=${encoded(ORDERS)}&types=Qqqqqqqqqqqq`;
    const answer = await catalog.get(path);
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/types/0');
    expect(answer.body.message).toBe('there is no relationship "Qqqqqqqqqqqq"');
  });

  it('of a lineage scroll must make lineage', async () => {
    const answer = await catalog.post('/openapi/v3/lineage/scroll?relationshipTypes=OwnedBy', {
      urns: [ORDERS],
    });
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/relationshipTypes/0');
  });
});

describe('a snapshot without aspects', () => {
  const snapshot = (aspects: unknown) => ({
    value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': { urn: ORDERS, aspects } },
  });
  const at = '/value/com.linkedin.metadata.snapshot.DatasetSnapshot/aspects';

  it.each([[[]], [undefined]])('is refused: %j', async (aspects) => {
    const one = await catalog.post('/entities?action=ingest', { entity: snapshot(aspects) });
    expectRefusal(one, 400, 'PROPOSAL_MALFORMED', `/entity${at}`);
    const many = await catalog.post('/entities?action=batchIngest', { entities: [snapshot(aspects)] });
    expectRefusal(many, 400, 'PROPOSAL_MALFORMED', `/entities/0${at}`);
  });
});

describe('a link of an author who does not exist', () => {
  const UPDATE = `mutation ($input: DatasetUpdateInput!) { updateDataset(urn: "${ORDERS}", input: $input) { urn } }`;
  const links = (author: string) => ({
    input: { institutionalMemory: { elements: [{ url: 'https://example.org', description: 'd', author }] } },
  });

  it('is refused by the mutation', async () => {
    const error = await failure(catalog, UPDATE, links('urn:li:corpuser:ghost'));
    expect(error.extensions).toMatchObject({
      code: 404,
      errorCode: 'ENTITY_NOT_FOUND',
      pointer: '/input/institutionalMemory/elements/0/author',
    });
    expect(await catalog.read(ORDERS, 'institutionalMemory')).toBeUndefined();
    await data(catalog, UPDATE, links(ANN));
  });

  it('is taken by ingest, where users may arrive later', async () => {
    const stamp = { time: 1, actor: 'urn:li:corpuser:ghost' };
    const elements = [{ url: 'https://example.org', description: 'd', createStamp: stamp }];
    expect((await catalog.propose(ORDERS, 'institutionalMemory', { elements })).status).toBe(200);
  });
});

describe('status of a structured property that does not exist', () => {
  const urn = 'urn:li:structuredProperty:not.there';
  const untouched = async () => expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);

  it.each([true, false])('is not found: removed %s', async (removed) => {
    expectRefusal(await catalog.propose(urn, 'status', { removed }), 404, 'ENTITY_NOT_FOUND', '/proposal');
    const patch = [{ op: 'add', path: '/removed', value: removed }];
    const patched = await catalog.propose(urn, 'status', patch, { changeType: 'PATCH' });
    expectRefusal(patched, 404, 'ENTITY_NOT_FOUND', '/proposal');
    for (const version of ['v2', 'v3']) {
      const path = `/openapi/${version}/entity/structuredProperty/${encoded(urn)}/status`;
      const body = version === 'v3' ? { value: { removed } } : { removed };
      expectRefusal(await catalog.post(path, body), 404, 'ENTITY_NOT_FOUND');
    }
    const snapshot = { urn, aspects: [{ 'com.linkedin.common.Status': { removed } }] };
    const record = 'com.linkedin.metadata.snapshot.StructuredPropertySnapshot';
    const taken = await catalog.post('/entities?action=ingest', {
      entity: { value: { [record]: snapshot } },
    });
    expect([400, 404]).toContain(taken.status);
    await untouched();
  });

  it('may come in one request with the definition', async () => {
    const definition = {
      qualifiedName: 'with.status',
      valueType: 'urn:li:dataType:platform.string',
      entityTypes: ['urn:li:entityType:platform.dataset'],
    };
    const property = 'urn:li:structuredProperty:with.status';
    await catalog.ingest(
      [property, 'status', { removed: false }],
      [property, 'propertyDefinition', definition],
    );
    expect(await catalog.read(property, 'status')).toEqual({ removed: false });
  });
});
