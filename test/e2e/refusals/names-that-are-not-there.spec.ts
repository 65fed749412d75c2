import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { data, failure } from '../graphql/support.js';
import { define, definition, holds, setting } from '../structured-properties/support.js';

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

describe('a structured property that does not exist', () => {
  const urn = 'urn:li:structuredProperty:not.there';
  const untouched = async () => expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
  const link = { url: 'https://example.org', description: 'd', createStamp: { time: 1, actor: ANN } };
  const others: Array<[aspect: string, record: string, value: Record<string, unknown>]> = [
    ['status', 'com.linkedin.common.Status', { removed: true }],
    ['status', 'com.linkedin.common.Status', { removed: false }],
    [
      'structuredPropertySettings',
      'com.linkedin.structured.StructuredPropertySettings',
      { showInSearchFilters: true },
    ],
    ['institutionalMemory', 'com.linkedin.common.InstitutionalMemory', { elements: [link] }],
  ];
  const entity = '/openapi/v3/entity/structuredProperty';

  it.each(others)('does not come into being with %s', async (aspect, record, value) => {
    expectRefusal(await catalog.propose(urn, aspect, value), 404, 'ENTITY_NOT_FOUND', '/proposal');
    const patch = Object.entries(value).map(([name, part]) => ({ op: 'add', path: `/${name}`, value: part }));
    const patched = await catalog.propose(urn, aspect, patch, { changeType: 'PATCH' });
    expectRefusal(patched, 404, 'ENTITY_NOT_FOUND', '/proposal');
    for (const changeType of ['CREATE', 'CREATE_ENTITY', 'RESTATE'])
      expectRefusal(await catalog.propose(urn, aspect, value, { changeType }), 404, 'ENTITY_NOT_FOUND');
    for (const version of ['v2', 'v3']) {
      const path = `/openapi/${version}/entity/structuredProperty/${encoded(urn)}/${aspect}`;
      const body = version === 'v3' ? { value } : value;
      expectRefusal(await catalog.post(path, body), 404, 'ENTITY_NOT_FOUND');
      expectRefusal(await catalog.request('PATCH', path, { body: { patch } }), 404, 'ENTITY_NOT_FOUND');
    }
    const several = [{ urn, [aspect]: { value } }];
    expectRefusal(
      await catalog.post(`${entity}?async=false`, several),
      404,
      'ENTITY_NOT_FOUND',
      `/0/${aspect}`,
    );
    const both = { structuredProperty: several };
    expectRefusal(
      await catalog.post(`${entity.replace(/\w+$/, 'generic')}?async=false`, both),
      404,
      'ENTITY_NOT_FOUND',
    );
    const posted = [
      {
        entityType: 'structuredProperty',
        entityUrn: urn,
        aspect: { __type: record.split('.').at(-1), ...value },
      },
    ];
    expectRefusal(
      await catalog.post('/openapi/entities/v1?async=false', posted),
      404,
      'ENTITY_NOT_FOUND',
      '/0',
    );
    const snapshot = { urn, aspects: [{ [record]: value }] };
    const taken = await catalog.post('/entities?action=ingest', {
      entity: { value: { 'com.linkedin.metadata.snapshot.StructuredPropertySnapshot': snapshot } },
    });
    expect([400, 404]).toContain(taken.status);
    await untouched();
  });

  it('does not come into being with several of them, nor with a patch of its definition that only removes', async () => {
    const proposals = others.slice(1).map(([aspect, , value]) => proposal(urn, aspect, value));
    const send = (more: object[]) => catalog.post('/aspects?action=ingestProposalBatch', { proposals: more });
    expectRefusal(await send(proposals), 404, 'ENTITY_NOT_FOUND', '/proposals/0');
    const removes = [{ op: 'remove', path: '/displayName' }];
    const patch = proposal(urn, 'propertyDefinition', removes, { changeType: 'PATCH' });
    for (const batch of [
      [patch, ...proposals],
      [...proposals, patch],
    ])
      expectRefusal(await send(batch), 404, 'ENTITY_NOT_FOUND');
    await untouched();
  });

  it.each(others)(
    'may have %s in one request with its definition, in any order',
    async (aspect, _, value) => {
      const name = `with.${aspect}.${JSON.stringify(value).length}`;
      const property = `urn:li:structuredProperty:${name}`;
      await catalog.ingest(
        [property, aspect, value],
        [property, 'propertyDefinition', definition(name, 'string')],
      );
      expect(await catalog.read(property, aspect)).toMatchObject(value);
      expect(await catalog.read(property, 'propertyDefinition')).toMatchObject({ qualifiedName: name });
    },
  );

  it.each(others)('takes %s that stands before its key in one batch', async (aspect, _, value) => {
    const id = `keyed.${aspect}.${JSON.stringify(value).length}`;
    const property = `urn:li:structuredProperty:${id}`;
    await catalog.ingest([property, aspect, value], [property, 'structuredPropertyKey', { id }]);
    expect(await catalog.read(property, aspect)).toMatchObject(value);
  });
});

describe('an entity that does not exist', () => {
  const BATCH = '/aspects?action=ingestProposalBatch';
  const PROPERTY = 'urn:li:structuredProperty:not.there.level';
  const nothing = (urn: string) =>
    proposal(urn, 'datasetProperties', [{ op: 'remove', path: '/description' }], { changeType: 'PATCH' });
  const removal = (urn: string) => proposal(urn, 'status', { removed: true });
  const values = (urn: string) => proposal(urn, 'structuredProperties', setting(holds(PROPERTY, 'high')));
  beforeAll(() => define(catalog, 'not.there.level', 'string'));

  const refused: Array<[beside: string, proposals: (urn: string) => object[]]> = [
    ['the removal', (urn) => [nothing(urn), removal(urn)]],
    ['values', (urn) => [nothing(urn), values(urn)]],
    ['the removal and values', (urn) => [values(urn), removal(urn)]],
    [
      'a patch that removes it, and values',
      (urn) => [
        values(urn),
        proposal(urn, 'status', [{ op: 'add', path: '/removed', value: true }], { changeType: 'PATCH' }),
      ],
    ],
  ];
  it.each(refused)('does not come into being with %s beside what does nothing', async (name, proposals) => {
    const urn = dataset(`nowhere.${name.replaceAll(/\W/g, '')}`);
    for (const batch of [proposals(urn), proposals(urn).reverse()])
      expectRefusal(await catalog.post(BATCH, { proposals: batch }), 404, 'ENTITY_NOT_FOUND');
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
  });

  it('does not come into being with patches of OpenAPI of which one only removes, and one removes it', async () => {
    const urn = dataset('nowhere.patches');
    const patch = (...operations: object[]) => ({ value: { patch: operations } });
    const datasetProperties = patch({ op: 'remove', path: '/description' });
    const body = [{ urn, datasetProperties, status: patch({ op: 'add', path: '/removed', value: true }) }];
    const answer = await catalog.request('PATCH', '/openapi/v3/entity/dataset?async=false', { body });
    expectRefusal(answer, 404, 'ENTITY_NOT_FOUND');
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
  });

  const taken: Array<[beside: string, proposals: (urn: string) => object[]]> = [
    ['status that does not remove it', (urn) => [proposal(urn, 'status', { removed: false })]],
    ['an aspect', (urn) => [proposal(urn, 'datasetProperties', { name: 'n' }), removal(urn)]],
    ['the same aspect, later', (urn) => [proposal(urn, 'datasetProperties', { name: 'n' }), values(urn)]],
    [
      'a patch of status that does not remove it',
      (urn) => [
        proposal(urn, 'status', [{ op: 'add', path: '/removed', value: false }], { changeType: 'PATCH' }),
        values(urn),
      ],
    ],
  ];
  it.each(taken)('comes into being with %s', async (name, proposals) => {
    for (const order of ['asIs', 'reverse']) {
      const urn = dataset(`somewhere.${name.replaceAll(/\W/g, '')}.${order}`);
      const batch = [nothing(urn), ...proposals(urn)];
      const answer = await catalog.post(BATCH, { proposals: order === 'asIs' ? batch : batch.reverse() });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(200);
    }
  });
});
