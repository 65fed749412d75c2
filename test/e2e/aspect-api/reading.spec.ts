import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { define } from '../structured-properties/support.js';
import { ANN, dataset, encoded, expectRefusal, STAMP, version } from './support.js';

const ORDERS = dataset('shop.orders');
const TAG = 'urn:li:tag:pii';
const TERM = 'urn:li:glossaryTerm:Classification.Public';
const PROPERTIES = { name: 'orders', description: 'All orders', customProperties: { a: 'b' } };
const OWNERSHIP = { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP };
const INFO = { definition: 'For everybody', termSource: 'INTERNAL' };
const NO_PROTOCOL = { headers: { 'x-restli-protocol-version': '' } };

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [ORDERS, 'datasetProperties', PROPERTIES],
    [ORDERS, 'ownership', OWNERSHIP],
    [TAG, 'tagProperties', { name: 'PII' }],
    [TERM, 'glossaryTermInfo', INFO],
    [TERM, 'ownership', OWNERSHIP],
  );
});
afterAll(() => catalog.stop());

const namesOf = (body: { aspects: object }): string[] => Object.keys(body.aspects).sort();

describe('GET /entitiesV2/<urn>', () => {
  it('answers the entity with all its aspects', async () => {
    const { status, body, headers } = await catalog.get(`/entitiesV2/${encoded(ORDERS)}`);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(body).toMatchObject({ urn: ORDERS, entityName: 'dataset' });
    expect(namesOf(body)).toEqual([
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
      'datasetProperties',
      'ownership',
    ]);
    expect(body.aspects.datasetProperties).toMatchObject({
      name: 'datasetProperties',
      version: 0,
      value: PROPERTIES,
      created: { time: expect.any(Number), actor: 'urn:li:corpuser:admin' },
    });
  });

  it.each([
    ['List(ownership)', ['datasetKey', 'ownership']],
    ['List(ownership,datasetProperties)', ['datasetKey', 'datasetProperties', 'ownership']],
    ['List(OWNERSHIP)', ['datasetKey', 'ownership']],
    ['List%28ownership%2CdatasetProperties%29', ['datasetKey', 'datasetProperties', 'ownership']],
    ['ownership&aspects=datasetProperties', ['datasetKey', 'datasetProperties', 'ownership']],
    ['List(status)', ['datasetKey']],
    ['List()', ['datasetKey']],
  ])('limits the aspects to %s', async (aspects, expected) => {
    expect(namesOf((await catalog.get(`/entitiesV2/${encoded(ORDERS)}?aspects=${aspects}`)).body)).toEqual(
      expected,
    );
  });

  it.each([
    ['encoded', encoded(ORDERS)],
    ['with raw parentheses', encodeURIComponent(ORDERS)],
    ['as it is', ORDERS],
  ])('takes the URN %s', async (_, path) => {
    expect((await catalog.get(`/entitiesV2/${path}`)).body.urn).toBe(ORDERS);
  });

  it('decodes the path once', async () => {
    const urn = 'urn:li:tag:100%25/a+b?c#d ü';
    await catalog.ingest([urn, 'tagProperties', { name: 'x' }]);
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).body.urn).toBe(urn);
    expect((await catalog.get(`/entitiesV2/${encodeURIComponent(encodeURIComponent(TAG))}`)).status).toBe(
      400,
    );
  });

  it('shows soft-deleted entities', async () => {
    const urn = dataset('r.removed');
    await catalog.ingest([urn, 'datasetProperties', PROPERTIES]);
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).body.aspects).toMatchObject({
      status: { value: { removed: true } },
      datasetProperties: { value: PROPERTIES },
    });
  });

  it('needs the protocol version, and an entity that exists', async () => {
    expectRefusal(
      await catalog.get(`/entitiesV2/${encoded(ORDERS)}`, NO_PROTOCOL),
      400,
      'PROTOCOL_VERSION_MISSING',
    );
    expectRefusal(await catalog.get(`/entitiesV2/${encoded(dataset('no'))}`), 404, 'ENTITY_NOT_FOUND');
  });

  it('minds upper and lower case in URNs', async () => {
    expect((await catalog.get('/entitiesV2/urn%3Ali%3Atag%3APII')).status).toBe(404);
  });
});

describe('GET /entitiesV2', () => {
  it('answers several, and says which are missing', async () => {
    const ids = [ORDERS, TAG, 'urn:li:tag:none'].map(encoded).join(',');
    const { status, body } = await catalog.get(`/entitiesV2?ids=List(${ids})&aspects=List(ownership)`);
    expect(status).toBe(200);
    expect(Object.keys(body.results)).toEqual([ORDERS, TAG]);
    expect(body.results[ORDERS]).toMatchObject({ urn: ORDERS, aspects: { ownership: { value: OWNERSHIP } } });
    expect(namesOf(body.results[TAG])).toEqual(['tagKey']);
    expect(body.errors).toEqual({
      'urn:li:tag:none': expect.objectContaining({ status: 404, code: 'ENTITY_NOT_FOUND' }),
    });
  });

  it('wants the list of URNs, and the protocol version', async () => {
    expectRefusal(await catalog.get('/entitiesV2'), 400, 'PARAMETER_MISSING', '/ids');
    expectRefusal(await catalog.get('/entitiesV2?ids=List()', NO_PROTOCOL), 400, 'PROTOCOL_VERSION_MISSING');
    expect((await catalog.get('/entitiesV2?ids=List()')).body).toMatchObject({ results: {}, errors: {} });
  });
});

describe('GET /entities/<urn>', () => {
  it('answers the snapshot, aspects under their record names', async () => {
    const { status, body } = await catalog.get(`/entities/${encoded(ORDERS)}`, NO_PROTOCOL);
    expect(status).toBe(200);
    const snapshot = body.value['com.linkedin.metadata.snapshot.DatasetSnapshot'];
    expect(snapshot.urn).toBe(ORDERS);
    expect(snapshot.aspects).toEqual(
      expect.arrayContaining([
        {
          'com.linkedin.metadata.key.DatasetKey': {
            platform: 'urn:li:dataPlatform:kafka',
            name: 'shop.orders',
            origin: 'PROD',
          },
        },
        { 'com.linkedin.common.Ownership': expect.objectContaining(OWNERSHIP) },
        { 'com.linkedin.dataset.DatasetProperties': expect.objectContaining(PROPERTIES) },
      ]),
    );
  });

  it('answers a glossary term in its own form', async () => {
    const { body } = await catalog.get(`/entities/${encoded(TERM)}`, NO_PROTOCOL);
    const snapshot = body.value['com.linkedin.metadata.snapshot.GlossaryTermSnapshot'];
    expect(snapshot).toMatchObject({ urn: TERM, glossaryTermInfo: INFO, ownership: OWNERSHIP });
    expect(snapshot).not.toHaveProperty('aspects');
  });

  it.each([
    ['urn:li:corpuser:ann', 'CorpUser', 'corpUserInfo', { active: true }],
    ['urn:li:corpGroup:g', 'CorpGroup', 'corpGroupInfo', { admins: [], members: [], groups: [] }],
    ['urn:li:chart:(looker,c)', 'Chart', 'status', { removed: false }],
    ['urn:li:dashboard:(looker,d)', 'Dashboard', 'status', { removed: false }],
    ['urn:li:tag:snap', 'Tag', 'status', { removed: false }],
  ])('names the snapshot of %s', async (urn, kind, aspect, value) => {
    await catalog.ingest([urn, aspect, value]);
    const { body } = await catalog.get(`/entities/${encoded(urn)}`);
    expect(body.value[`com.linkedin.metadata.snapshot.${kind}Snapshot`].urn).toBe(urn);
  });

  it('can be written again as it was read', async () => {
    const { body } = await catalog.get(`/entities/${encoded(TERM)}`);
    expect((await catalog.post('/entities?action=ingest', { entity: body })).status).toBe(200);
    expect(await version(catalog, TERM, 'glossaryTermInfo', 2)).toBeUndefined();
  });

  it('answers several', async () => {
    const { body } = await catalog.get(`/entities?ids=List(${encoded(ORDERS)},urn%3Ali%3Atag%3Anone)`);
    expect(Object.keys(body.results)).toEqual([ORDERS]);
    expect(body.errors).toHaveProperty(['urn:li:tag:none', 'status'], 404);
  });

  it('is 404 for what does not exist', async () => {
    expectRefusal(await catalog.get('/entities/urn%3Ali%3Atag%3Anone'), 404, 'ENTITY_NOT_FOUND');
  });
});

describe('GET /aspects/<urn>', () => {
  const at = (query: string) => catalog.get(`/aspects/${encoded(ORDERS)}?${query}`, NO_PROTOCOL);

  it.each(['aspect=ownership&version=0', 'aspect=ownership', 'aspect=OwnerShip&version=0'])(
    'answers the latest version for %s',
    async (query) => {
      const { status, body } = await at(query);
      expect([status, body]).toEqual([
        200,
        { version: 0, aspect: { 'com.linkedin.common.Ownership': expect.objectContaining(OWNERSHIP) } },
      ]);
    },
  );

  it('answers earlier versions', async () => {
    const urn = dataset('r.versions');
    for (const name of ['a', 'b']) await catalog.ingest([urn, 'datasetProperties', { name }]);
    expect(await version(catalog, urn, 'datasetProperties', 1)).toMatchObject({ name: 'a' });
    expect(await version(catalog, urn, 'datasetProperties', 2)).toMatchObject({ name: 'b' });
    expect(await version(catalog, urn, 'datasetProperties', 0)).toMatchObject({ name: 'b' });
  });

  it('uses the namespace of the configuration', async () => {
    const other = await TestCatalog.start({ CATALOG_RECORD_NAMESPACE: 'org.acme' });
    try {
      await other.ingest([TAG, 'tagProperties', { name: 'PII' }]);
      const { body } = await other.get(`/aspects/${encoded(TAG)}?aspect=tagProperties`);
      expect(body.aspect).toEqual({ 'org.acme.tag.TagProperties': { name: 'PII' } });
      expect((await other.get('/entities/urn:li:tag:none')).body.exceptionClass).toMatch(/^org\.acme\./);
    } finally {
      await other.stop();
    }
  });
});

describe('key aspects', () => {
  const FLOW = 'urn:li:dataFlow:(airflow,etl,prod)';
  const KAFKA = 'urn:li:dataPlatform:kafka';
  it.each<[urn: string, key: string, value: Record<string, string>]>([
    [dataset('a.b'), 'datasetKey', { platform: KAFKA, name: 'a.b', origin: 'PROD' }],
    [KAFKA, 'dataPlatformKey', { platformName: 'kafka' }],
    ['urn:li:chart:(looker,1.2)', 'chartKey', { dashboardTool: 'looker', chartId: '1.2' }],
    ['urn:li:dashboard:(looker,7)', 'dashboardKey', { dashboardTool: 'looker', dashboardId: '7' }],
    ['urn:li:corpuser:k', 'corpUserKey', { username: 'k' }],
    ['urn:li:corpGroup:k', 'corpGroupKey', { name: 'k' }],
    ['urn:li:glossaryTerm:a.b.c', 'glossaryTermKey', { name: 'a.b.c' }],
    ['urn:li:glossaryNode:n', 'glossaryNodeKey', { name: 'n' }],
    ['urn:li:tag:t:u', 'tagKey', { name: 't:u' }],
    ['urn:li:tag:(a, b) or c', 'tagKey', { name: '(a, b) or c' }],
    ['urn:li:domain:d', 'domainKey', { id: 'd' }],
    ['urn:li:container:0f', 'containerKey', { guid: '0f' }],
    [FLOW, 'dataFlowKey', { orchestrator: 'airflow', flowId: 'etl', cluster: 'prod' }],
    [`urn:li:dataJob:(${FLOW},load)`, 'dataJobKey', { flow: FLOW, jobId: 'load' }],
    [
      `urn:li:schemaField:(${dataset('k')},a.b)`,
      'schemaFieldKey',
      { parent: dataset('k'), fieldPath: 'a.b' },
    ],
    [
      `urn:li:dataPlatformInstance:(${KAFKA},eu)`,
      'dataPlatformInstanceKey',
      { platform: KAFKA, instance: 'eu' },
    ],
    [`urn:li:mlModel:(${KAFKA},m,DEV)`, 'mlModelKey', { platform: KAFKA, name: 'm', origin: 'DEV' }],
    ['urn:li:mlFeature:(ns,f)', 'mlFeatureKey', { featureNamespace: 'ns', name: 'f' }],
    ['urn:li:notebook:(jupyter,n)', 'notebookKey', { notebookTool: 'jupyter', notebookId: 'n' }],
    ['urn:li:dataProduct:p', 'dataProductKey', { id: 'p' }],
    ['urn:li:structuredProperty:io.acme.p', 'structuredPropertyKey', { id: 'io.acme.p' }],
    ['urn:li:form:f', 'formKey', { id: 'f' }],
    ['urn:li:assertion:x', 'assertionKey', { assertionId: 'x' }],
    ['urn:li:ownershipType:o', 'ownershipTypeKey', { id: 'o' }],
  ])('of %s say in fields what the URN says', async (urn, key, value) => {
    // It comes into being with its definition only.
    if (key === 'structuredPropertyKey') await define(catalog, 'io.acme.p', 'string');
    await catalog.ingest([urn, key, value]);
    expect(await catalog.read(urn, key)).toEqual(value);
    const field = Object.keys(value).findLast((name) => name !== 'origin')!;
    const answer = await catalog.propose(urn, key, { ...value, [field]: 'other' });
    expectRefusal(answer, 422, 'RULE_VIOLATED', '/proposal/aspect/value');
    expect(await catalog.read(urn, key)).toEqual(value);
  });

  it('come along with any first aspect', async () => {
    const urn = 'urn:li:tag:first';
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect(await catalog.read(urn, 'tagKey')).toEqual({ name: 'first' });
  });

  it.each([
    'dataType:platform.string',
    'dataType:platform.number',
    'dataType:platform.date',
    'entityType:platform.dataset',
    'entityType:platform.dataFlow',
    'entityType:platform.dataJob',
    'entityType:platform.schemaField',
  ])('of %s are there from the start', async (name) => {
    const urn = `urn:li:${name}`;
    expect(await catalog.read(urn, `${name.split(':')[0]!}Key`)).toEqual({ id: name.split(':')[1] });
  });
});

describe('getCount', () => {
  it.each([
    [{ aspect: 'glossaryTermInfo' }, 1],
    [{ aspect: 'glossaryterminfo', urnLike: 'urn:li:glossaryTerm:%' }, 1],
    [{ aspect: 'glossaryTermInfo', urnLike: 'urn:li:tag:%' }, 0],
    [{ aspect: 'domainProperties' }, 0],
  ])('of %j is %i', async (body, count) => {
    expect((await catalog.post('/aspects?action=getCount', body)).body).toEqual({ value: count });
  });
});

describe('open endpoints', () => {
  it('tell what the service is', async () => {
    const { status, body } = await catalog.get('/config', { token: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      noCode: 'true',
      patchCapable: true,
      statefulIngestionCapable: true,
      models: {},
    });
    expect(Object.values(body.versions)).toEqual([
      { version: expect.stringMatching(/^v\d+\.\d+\.\d+$/), commit: expect.any(String) },
    ]);
  });

  it.each(['/health', '/health/live', '/health/ready'])('%s is up', async (path) => {
    const { status, body } = await catalog.get(path, { token: null });
    expect([status, body.status]).toEqual([200, 'UP']);
  });
});

describe('GET /restli/docs', () => {
  interface Endpoint {
    method: string;
    path: string;
    summary?: string;
    parameters?: Record<string, string>;
  }
  /** The rows of the specification: a listing that forgets one of them is wrong, whatever else it holds. */
  const SPECIFIED = [
    'GET /restli/docs',
    'POST /aspects?action=ingestProposal',
    'POST /aspects?action=ingestProposalBatch',
    'POST /entities?action=ingest',
    'POST /entities?action=batchIngest',
    'GET /entitiesV2',
    'GET /entitiesV2/{urn}',
    'GET /entities',
    'GET /entities/{urn}',
    'POST /entities?action=browse',
    'POST /entities?action=search',
    'POST /entities?action=autocomplete',
    'GET /aspects/{urn}',
    'POST /aspects?action=getTimeseriesAspectValues',
    'POST /aspects?action=getCount',
    'GET /relationships',
    'GET /openapi/relationships/v1',
    'GET /config',
    'GET /health',
    'GET /health/live',
    'GET /health/ready',
  ];
  const listed = async (): Promise<Endpoint[]> => {
    const { body } = await catalog.get('/restli/docs', {
      token: null,
      headers: { accept: 'application/json' },
    });
    return body.groups.flatMap((group: { endpoints: Endpoint[] }) => group.endpoints);
  };

  it('lists what the specification lists, each with a sentence', async () => {
    const endpoints = await listed();
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(SPECIFIED),
    );
    expect(endpoints.filter(({ summary }) => !summary)).toEqual([]);
  });

  it('lists nothing that is not served', async () => {
    for (const { method, path, parameters } of await listed()) {
      const action = /\w+/.exec(parameters?.['action'] ?? '')?.[0];
      const target = path.replace(/\{\w+\}/g, 'x') + (action === undefined ? '' : `?action=${action}`);
      const answer = await catalog.request(method, target, /^(GET|HEAD)$/.test(method) ? {} : { body: {} });
      expect(`${method} ${path} ${answer.body?.code}`).not.toMatch(/ROUTE_UNKNOWN|ACTION_UNKNOWN/);
      expect(answer.status).toBeLessThan(500);
    }
  });

  it.each(['aspects', 'entities'])('lists every action that POST /%s knows', async (resource) => {
    const { body } = await catalog.post(`/${resource}?action=nope`, {});
    const known = /knows (.*)$/.exec(body.message as string)![1]!.split(', ');
    const actions = (await listed()).flatMap(({ path }) =>
      path.startsWith(`/${resource}?action=`) ? [path.split('=')[1]!] : [],
    );
    expect(actions.sort()).toEqual(known.sort());
  });

  it('is a page for people', async () => {
    const { status, headers, text } = await catalog.get('/restli/docs', {
      token: null,
      headers: { accept: 'text/html' },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/aspects?action=ingestProposal', '/entitiesV2/{urn}'])
      expect(text).toContain(path.replaceAll('&', '&amp;'));
  });
});
