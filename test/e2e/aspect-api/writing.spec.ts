import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal, STAMP, version } from './support.js';

const V2 = '/aspects?action=ingestProposal';
const BATCH = '/aspects?action=ingestProposalBatch';
const BOB = 'urn:li:corpuser:bob';
const FIELD_TYPE = (name: string) => ({ type: { [`com.linkedin.schema.${name}`]: {} } });

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

describe('ingestProposal', () => {
  it.each<[entity: string, aspect: string, value: Record<string, unknown>]>([
    ['urn:li:glossaryTerm:Classification.Public', 'glossaryTermInfo', {
      name: 'Public', definition: 'May be seen by everybody.', termSource: 'EXTERNAL', sourceRef: 'ISO',
      sourceUrl: 'https://example.org/iso', customProperties: { level: '1' },
    }],
    [dataset('w.ownership'), 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP }],
    [dataset('w.memory'), 'institutionalMemory', {
      elements: [{ url: 'https://example.org/wiki', description: 'Wiki', createStamp: STAMP }],
    }],
    [dataset('w.schema'), 'schemaMetadata', {
      schemaName: 'orders', platform: 'urn:li:dataPlatform:kafka', version: 0, hash: '', created: STAMP, lastModified: STAMP,
      platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '{"type":"record"}' } },
      fields: [
        { fieldPath: 'customer', description: 'Who', nativeDataType: 'record', type: FIELD_TYPE('RecordType'), nullable: false, isPartOfKey: false, recursive: false },
        { fieldPath: 'customer.name', nativeDataType: 'varchar(100)', type: FIELD_TYPE('StringType'), nullable: true, isPartOfKey: true, recursive: false },
        { fieldPath: 'placed', nativeDataType: 'date', type: FIELD_TYPE('DateType'), nullable: true, isPartOfKey: false, recursive: false },
        { fieldPath: 'amount', nativeDataType: 'int', type: FIELD_TYPE('NumberType'), nullable: true, isPartOfKey: false, recursive: false },
      ],
    }],
    [dataset('w.editable'), 'editableSchemaMetadata', {
      created: STAMP, lastModified: STAMP,
      editableSchemaFieldInfo: [{ fieldPath: 'customer.name', globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } }],
    }],
    [dataset('w.tags'), 'globalTags', { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }] }],
    ['urn:li:tag:pii', 'tagProperties', { name: 'PII', description: 'Personal data' }],
    [dataset('w.status'), 'status', { removed: false }],
    [dataset('w.browse'), 'browsePaths', { paths: ['/prod/kafka/w', '/prod/other'] }],
    [dataset('w.platform'), 'dataPlatformInstance', { platform: 'urn:li:dataPlatform:kafka' }],
    [dataset('w.lineage'), 'upstreamLineage', {
      upstreams: [{ auditStamp: STAMP, type: 'TRANSFORMED', dataset: dataset('w.source') }],
    }],
    [ANN, 'corpUserInfo', { active: true, displayName: 'Ann', fullName: 'Ann Smith', email: 'ann@example.org' }],
    ['urn:li:corpGroup:data', 'corpGroupInfo', { email: 'data@example.org', admins: [ANN], members: [ANN, BOB], groups: [] }],
    ['urn:li:chart:(looker,1)', 'chartInfo', {
      title: 'Orders', description: 'By day', inputs: [{ string: dataset('w.source') }],
      lastModified: { created: STAMP, lastModified: STAMP },
    }],
    ['urn:li:dashboard:(looker,2)', 'dashboardInfo', {
      title: 'Sales', description: 'All of it', charts: ['urn:li:chart:(looker,1)'],
      lastModified: { created: STAMP, lastModified: STAMP },
    }],
    ['urn:li:structuredProperty:io.acme.retention', 'propertyDefinition', {
      qualifiedName: 'io.acme.retention', displayName: 'Retention', description: 'Days to keep',
      valueType: 'urn:li:dataType:platform.number', cardinality: 'SINGLE',
      entityTypes: ['urn:li:entityType:platform.dataset'],
      allowedValues: [{ value: { double: 30 }, description: 'A month' }, { value: { double: 365 }, description: 'A year' }],
    }],
    [dataset('w.properties'), 'structuredProperties', {
      properties: [{ propertyUrn: 'urn:li:structuredProperty:io.acme.retention', values: [{ double: 30 }] }],
    }],
  ])('of %s writes %s, answers the URN and reads back what was written', async (urn, aspect, value) => {
    const answer = await catalog.propose(urn, aspect, value);
    expect([answer.status, answer.body]).toEqual([200, { value: urn }]);
    expect(await catalog.read(urn, aspect)).toMatchObject(value);
  });

  it.each([
    ['an integer at the edge', { 'a.b': '1' }, { created: { time: Number.MAX_SAFE_INTEGER } }],
    ['text of every kind', { 'ключ/~1': '値 🙂 \u0000 \u2028 "\\' }, { description: ' kept  as it is\n' }],
    ['empty text', { '': '' }, { description: '' }],
  ])('gives back %s exactly', async (_, customProperties, more) => {
    const value = { customProperties, ...more };
    await catalog.ingest([dataset('w.exact'), 'datasetProperties', value]);
    expect(await catalog.read(dataset('w.exact'), 'datasetProperties')).toEqual({ tags: [], ...value });
  });

  it('gives back fractions exactly', async () => {
    const fields = [{ fieldPath: 'a', uniqueProportion: 0.1, nullProportion: 1e-7 }];
    const value = { timestampMillis: 1, fieldProfiles: fields };
    await catalog.ingest([dataset('w.fraction'), 'datasetProfile', value]);
    const request = { urn: dataset('w.fraction'), entity: 'dataset', aspect: 'datasetProfile' };
    const { body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', request);
    expect(JSON.parse(body.value.values[0].aspect.value)).toEqual(value);
  });

  it.each([
    ['names in any case', { entityType: 'DATASET', aspectName: 'STATUS' }],
    ['a value that is JSON already', { aspect: { json: { removed: false } } }],
    ['nulls for what is left out', { systemMetadata: null, headers: null, auditHeader: null }],
  ])('takes %s', async (name, changes) => {
    const urn = dataset(`w.${name}`);
    const answer = await catalog.propose(urn, 'status', { removed: false }, changes);
    expect(answer.status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
  });

  it('makes the URN out of a key', async () => {
    const key = { platform: 'urn:li:dataPlatform:hive', name: 'w.key', origin: 'DEV' };
    const { entityUrn: _, ...rest } = proposal(dataset('x'), 'status', { removed: false });
    const answer = await catalog.post(V2, {
      proposal: { ...rest, entityKeyAspect: { value: JSON.stringify(key), contentType: 'application/json' } },
    });
    expect(answer.body).toEqual({ value: 'urn:li:dataset:(urn:li:dataPlatform:hive,w.key,DEV)' });
    expect(await catalog.read(answer.body.value, 'datasetKey')).toEqual(key);
  });

  it('counts versions upwards, and equal values not at all', async () => {
    const urn = dataset('w.versions');
    for (const description of ['one', 'two', 'two', 'three']) {
      await catalog.ingest([urn, 'datasetProperties', { description }]);
    }
    const texts = await Promise.all(
      [0, 1, 2, 3, 4].map(async (n) => (await version(catalog, urn, 'datasetProperties', n)) as { description?: string } | undefined),
    );
    expect(texts.map((t) => t?.description)).toEqual(['three', 'one', 'two', 'three', undefined]);
  });

  it('keeps every one of many writes that come at once', async () => {
    const urn = dataset('w.many');
    const words = Array.from({ length: 25 }, (_, i) => `word ${i}`);
    const answers = await Promise.all(words.map((description) => catalog.propose(urn, 'datasetProperties', { description })));
    expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
    const versions = await Promise.all(words.map((_, i) => version(catalog, urn, 'datasetProperties', i + 1)));
    expect(versions.map((v) => (v as { description: string }).description).sort()).toEqual([...words].sort());
  });

  it('notes the user of the token as the actor, whatever the request says', async () => {
    const { token } = await catalog.issueToken({ user: 'carl' });
    const urn = dataset('w.actor');
    const auditHeader = { time: 1, actor: BOB };
    const answer = await catalog.post(V2, { proposal: proposal(urn, 'status', { removed: false }, { auditHeader }) }, {
      token,
      headers: { 'x-actor': BOB, 'x-restli-user': BOB },
    });
    expect(answer.status).toBe(200);
    const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}`);
    expect(body.aspects.status.created.actor).toBe('urn:li:corpuser:carl');
  });

  it('keeps the run that a value comes from', async () => {
    const urn = dataset('w.run');
    const systemMetadata = { runId: 'nightly-1', lastObserved: 1_700_000_000_000 };
    await catalog.propose(urn, 'status', { removed: false }, { systemMetadata });
    const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}`);
    expect(body.aspects.status.systemMetadata).toMatchObject(systemMetadata);
  });

  it('needs the protocol version', async () => {
    for (const path of [V2, BATCH]) {
      const answer = await catalog.post(path, {}, { headers: { 'x-restli-protocol-version': '1.0.0' } });
      expectRefusal(answer, 400, 'PROTOCOL_VERSION_MISSING');
      expect(answer.body.message).toContain('X-RestLi-Protocol-Version: 2.0.0');
    }
  });
});

describe('DELETE', () => {
  it('takes one aspect away with its history, and leaves the rest', async () => {
    const urn = dataset('w.delete');
    await catalog.ingest([urn, 'globalTags', { tags: [] }], [urn, 'status', { removed: false }]);
    expect((await catalog.propose(urn, 'globalTags', undefined, { changeType: 'DELETE' })).status).toBe(200);
    expect(await catalog.read(urn, 'globalTags')).toBeUndefined();
    expect(await version(catalog, urn, 'globalTags', 1)).toBeUndefined();
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
  });

  it('of the key aspect takes the entity away', async () => {
    const urn = dataset('w.gone');
    await catalog.ingest([urn, 'globalTags', { tags: [] }]);
    expect((await catalog.propose(urn, 'datasetKey', undefined, { changeType: 'DELETE' })).status).toBe(200);
    expectRefusal(await catalog.get(`/entitiesV2/${encoded(urn)}`), 404, 'ENTITY_NOT_FOUND');
    expect((await catalog.search('dataset', 'w.gone')).entities).toEqual([]);
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect(await catalog.read(urn, 'globalTags')).toBeUndefined();
  });

  it('of what is not there is no error', async () => {
    for (const aspect of ['status', 'datasetKey']) {
      const answer = await catalog.propose(dataset('w.never'), aspect, undefined, { changeType: 'DELETE' });
      expect([answer.status, answer.body]).toEqual([200, { value: dataset('w.never') }]);
    }
    expect(await catalog.read(dataset('w.never'), 'status')).toBeUndefined();
  });

  it('of the status restores', async () => {
    const urn = dataset('w.restored');
    await catalog.ingest([urn, 'globalTags', { tags: [] }]);
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect((await catalog.search('dataset', 'w.restored')).entities).toEqual([]);
    await catalog.propose(urn, 'status', undefined, { changeType: 'DELETE' });
    expect((await catalog.search('dataset', 'w.restored')).entities).toEqual([urn]);
  });
});

describe('other change types', () => {
  const existing = dataset('w.existing');
  beforeAll(() => catalog.ingest([existing, 'datasetProperties', { name: 'a', customProperties: { x: '1' } }]));

  it.each([
    ['CREATE', existing, 'datasetProperties', 409, 'ASPECT_EXISTS'],
    ['CREATE_ENTITY', existing, 'status', 409, 'ENTITY_EXISTS'],
    ['UPDATE', existing, 'status', 404, 'ASPECT_NOT_FOUND'],
    ['UPDATE', dataset('w.absent'), 'status', 404, 'ASPECT_NOT_FOUND'],
  ])('%s of %s refuses %s', async (changeType, urn, aspect, status, code) => {
    const value = aspect === 'status' ? { removed: false } : { name: 'b' };
    expectRefusal(await catalog.propose(urn, aspect, value, { changeType }), status, code, '/proposal/changeType');
    expect(await catalog.read(urn, 'status')).toBeUndefined();
    expect((await catalog.read(existing, 'datasetProperties')).name).toBe('a');
  });

  it.each(['CREATE', 'CREATE_ENTITY', 'RESTATE'])('%s writes what is new', async (changeType) => {
    const urn = dataset(`w.new.${changeType}`);
    expect((await catalog.propose(urn, 'status', { removed: false }, { changeType })).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
  });

  it('UPDATE writes what is there', async () => {
    const urn = dataset('w.update');
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect((await catalog.propose(urn, 'status', { removed: true }, { changeType: 'UPDATE' })).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
  });

  it('PATCH changes a part, and nothing when the result is not valid', async () => {
    const urn = dataset('w.patch');
    await catalog.ingest([urn, 'datasetProperties', { name: 'a', customProperties: { x: '1', y: '2' } }]);
    const patch = (...operations: unknown[]) => catalog.propose(urn, 'datasetProperties', operations, { changeType: 'PATCH' });
    expect((await patch({ op: 'add', path: '/customProperties/z', value: '3' }, { op: 'remove', path: '/customProperties/x' })).status).toBe(200);
    const after = { name: 'a', customProperties: { y: '2', z: '3' }, tags: [] };
    expect(await catalog.read(urn, 'datasetProperties')).toEqual(after);
    expectRefusal(await patch({ op: 'add', path: '/name', value: 5 }), 422, 'ASPECT_INVALID', '/proposal/aspect/value/name');
    expectRefusal(await patch({ op: 'jump', path: '/name' }), 400, 'PATCH_MALFORMED');
    expect(await catalog.read(urn, 'datasetProperties')).toEqual(after);
  });

  it.each([
    [{ 'If-Version-Match': '1' }, 200],
    [{ 'If-Version-Match': '7' }, 412],
    [{ 'If-Version-Match': '-1' }, 412],
    [{ 'If-None-Match': '*' }, 412],
    [{ 'If-Version-Match': 'x' }, 400],
  ])('minds %j', async (headers, status) => {
    const urn = dataset(`w.if.${JSON.stringify(headers)}`);
    await catalog.ingest([urn, 'datasetProperties', { name: 'old' }]);
    const answer = await catalog.propose(urn, 'datasetProperties', { name: 'new' }, { headers });
    if (status === 200) expect(answer.status).toBe(200);
    else {
      const pointer = `/proposal/headers/${Object.keys(headers)[0]}`;
      expectRefusal(answer, status, status === 412 ? 'PRECONDITION_FAILED' : 'PARAMETER_INVALID', pointer);
    }
    expect((await catalog.read(urn, 'datasetProperties')).name).toBe(status === 200 ? 'new' : 'old');
  });
});

describe('ingestProposalBatch', () => {
  it('carries proposals out in order', async () => {
    const urn = dataset('w.order');
    const step = (name: string, changeType = 'UPSERT') => proposal(urn, 'datasetProperties', { name }, { changeType });
    const answer = await catalog.post(BATCH, { proposals: [step('a', 'CREATE_ENTITY'), step('b', 'UPDATE'), step('c')] });
    expect([answer.status, answer.body]).toEqual([200, { value: 'success' }]);
    const names = await Promise.all([1, 2, 3].map((n) => version(catalog, urn, 'datasetProperties', n)));
    expect(names).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  it('deletes and writes again within one batch', async () => {
    const urn = dataset('w.again');
    await catalog.ingest([urn, 'globalTags', { tags: [] }]);
    const proposals = [proposal(urn, 'datasetKey', undefined, { changeType: 'DELETE' }), proposal(urn, 'status', { removed: false })];
    expect((await catalog.post(BATCH, { proposals })).status).toBe(200);
    const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}?aspects=List(status,globalTags)`);
    expect(Object.keys(body.aspects).sort()).toEqual(['datasetKey', 'status']);
  });

  it.each<[string, Record<string, unknown>, number, string, string]>([
    ['an unknown aspect', { aspectName: 'nope' }, 400, 'ASPECT_UNKNOWN', '/proposals/1/aspectName'],
    ['an invalid value', { aspect: { value: '{"removed":1}' } }, 422, 'ASPECT_INVALID', '/proposals/1/aspect/value/removed'],
    ['a conflict', { changeType: 'CREATE_ENTITY' }, 409, 'ENTITY_EXISTS', '/proposals/1/changeType'],
    ['something missing', { changeType: 'UPDATE', entityUrn: dataset('w.absent') }, 404, 'ASPECT_NOT_FOUND', '/proposals/1/changeType'],
    ['a failed condition', { headers: { 'If-Version-Match': '9' } }, 412, 'PRECONDITION_FAILED', '/proposals/1/headers/If-Version-Match'],
  ])('writes nothing when it holds %s', async (name, changes, status, code, pointer) => {
    const urn = dataset(`w.nothing ${name}`);
    const proposals = [
      proposal(urn, 'globalTags', { tags: [] }),
      proposal(urn, 'status', { removed: false }, changes),
      proposal(urn, 'ownership', { owners: [] }),
    ];
    expectRefusal(await catalog.post(BATCH, { proposals }), status, code, pointer);
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
    expect((await catalog.search('dataset', name)).entities).toEqual([]);
  });

  it('of nothing does nothing', async () => {
    expect((await catalog.post(BATCH, { proposals: [] })).body).toEqual({ value: 'success' });
  });

  it('of a thousand is written whole', async () => {
    const urns = Array.from({ length: 1000 }, (_, i) => `urn:li:tag:batch-${i}`);
    await catalog.ingest(...urns.map((urn): [string, string, unknown] => [urn, 'tagProperties', { name: urn }]));
    expect((await catalog.post('/aspects?action=getCount', { aspect: 'tagProperties', urnLike: 'urn:li:tag:batch-%' })).body).toEqual({ value: 1000 });
  });
});

describe('what must exist', () => {
  const property = 'urn:li:structuredProperty:w.made';
  const definition = {
    qualifiedName: 'w.made', valueType: 'urn:li:dataType:platform.string', entityTypes: ['urn:li:entityType:platform.dataset'],
  };
  const values = { properties: [{ propertyUrn: property, values: [{ string: 'a' }] }] };

  it('is the property of a value, which may come in the same request', async () => {
    const urn = dataset('w.asset');
    const answer = await catalog.propose(urn, 'structuredProperties', values);
    expectRefusal(answer, 422, 'REFERENCE_MISSING', '/proposal/aspect/value/properties/0/propertyUrn');
    expect(await catalog.read(urn, 'structuredProperties')).toBeUndefined();
    await catalog.ingest([property, 'propertyDefinition', definition], [urn, 'status', { removed: false }], [urn, 'structuredProperties', values]);
    expect(await catalog.read(urn, 'structuredProperties')).toMatchObject(values);
  });

  it('is the data type of a property, under any vendor word', async () => {
    const define = (valueType: string) =>
      catalog.propose('urn:li:structuredProperty:w.type', 'propertyDefinition', { ...definition, qualifiedName: 'w.type', valueType });
    expectRefusal(await define('urn:li:dataType:platform.nope'), 422, 'REFERENCE_MISSING', '/proposal/aspect/value/valueType');
    expect((await define('urn:li:dataType:acme.string')).status).toBe(200);
    expect((await catalog.read('urn:li:structuredProperty:w.type', 'propertyDefinition')).valueType).toBe('urn:li:dataType:acme.string');
  });

  it('is the entity that is soft-deleted, but not the one that is not', async () => {
    const urn = dataset('w.unborn');
    expectRefusal(await catalog.propose(urn, 'status', { removed: true }), 404, 'ENTITY_NOT_FOUND', '/proposal');
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
    expect((await catalog.propose(urn, 'status', { removed: false })).status).toBe(200);
    expect((await catalog.propose(urn, 'status', { removed: true })).status).toBe(200);
  });

  it.each([
    ['tags', 'globalTags', { tags: [{ tag: 'urn:li:tag:nobody-made-me' }] }],
    ['owners', 'ownership', { owners: [{ owner: 'urn:li:corpuser:nobody', type: 'DATAOWNER' }] }],
    ['upstreams', 'upstreamLineage', { upstreams: [{ type: 'TRANSFORMED', dataset: dataset('w.nowhere') }] }],
  ])('are not %s: they may come later', async (_, aspect, value) => {
    expect((await catalog.propose(dataset('w.dangling'), aspect, value)).status).toBe(200);
  });
});

describe('snapshots', () => {
  const body = (kind: string, urn: string, aspects: object[], namespace = 'com.linkedin') => ({
    entity: { value: { [`${namespace}.metadata.snapshot.${kind}Snapshot`]: { urn, aspects } } },
  });
  const owned = { 'com.linkedin.common.Ownership': { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP } };
  const chart = { title: 'T', description: 'D', inputs: [{ string: dataset('s.in') }], lastModified: { created: STAMP, lastModified: STAMP } };
  const dashboard = { title: 'T', description: 'D', charts: [], lastModified: { created: STAMP, lastModified: STAMP } };

  it.each<[kind: string, urn: string, record: string, aspect: string, value: object]>([
    ['CorpUser', 'urn:li:corpuser:s', 'identity.CorpUserInfo', 'corpUserInfo', { active: true, displayName: 'S', fullName: 'S S', email: 's@example.org' }],
    ['CorpGroup', 'urn:li:corpGroup:s', 'identity.CorpGroupInfo', 'corpGroupInfo', { email: 'g@example.org', admins: [], members: [ANN], groups: [] }],
    ['Dataset', dataset('s.orders'), 'common.BrowsePaths', 'browsePaths', { paths: ['/a/b'] }],
    ['Chart', 'urn:li:chart:(looker,s)', 'chart.ChartInfo', 'chartInfo', chart],
    ['Dashboard', 'urn:li:dashboard:(looker,s)', 'dashboard.DashboardInfo', 'dashboardInfo', dashboard],
    ['Tag', 'urn:li:tag:s', 'tag.TagProperties', 'tagProperties', { name: 's', description: 'd' }],
    ['GlossaryTerm', 'urn:li:glossaryTerm:s.t', 'glossary.GlossaryTermInfo', 'glossaryTermInfo', { definition: 'd', termSource: 'INTERNAL' }],
  ])('of a %s are written with all their aspects, and answer nothing', async (kind, urn, record, aspect, value) => {
    const second = kind.startsWith('Corp') ? { 'com.linkedin.common.Status': { removed: false } } : owned;
    const aspects = [{ [`com.linkedin.${record}`]: value }, second];
    const answer = await catalog.post('/entities?action=ingest', body(kind, urn, aspects), { headers: { 'x-restli-protocol-version': '' } });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await catalog.read(urn, aspect)).toMatchObject(value);
    expect(await catalog.read(urn, kind.startsWith('Corp') ? 'status' : 'ownership')).toBeDefined();
  });

  it.each(['acme', 'org.acme.deep', 'com.linkedin'])('are known under the namespace %s', async (namespace) => {
    const urn = `urn:li:tag:ns-${namespace}`;
    const answer = await catalog.post('/entities?action=ingest', body('Tag', urn, [{ [`${namespace}.tag.TagProperties`]: { name: 'n' } }], namespace));
    expect(answer.status).toBe(200);
    expect(await catalog.read(urn, 'tagProperties')).toEqual({ name: 'n' });
  });

  it('may hold aspects by their names', async () => {
    const term = { urn: 'urn:li:glossaryTerm:s.named', glossaryTermInfo: { definition: 'd', termSource: 'INTERNAL' }, ownership: { owners: [] } };
    const entity = { value: { 'com.linkedin.metadata.snapshot.GlossaryTermSnapshot': term } };
    expect((await catalog.post('/entities?action=ingest', { entity })).status).toBe(200);
    expect(await catalog.read(term.urn, 'glossaryTermInfo')).toMatchObject(term.glossaryTermInfo);
  });

  it('of several entities are written together or not at all', async () => {
    const tag = (name: string, value: object) => body('Tag', `urn:li:tag:${name}`, [{ 'com.linkedin.tag.TagProperties': value }]).entity;
    const answer = await catalog.post('/entities?action=batchIngest', { entities: [tag('b1', { name: '1' }), tag('b2', { name: '2' })] });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await catalog.read('urn:li:tag:b2', 'tagProperties')).toEqual({ name: '2' });
    const refused = await catalog.post('/entities?action=batchIngest', { entities: [tag('b3', { name: '3' }), tag('b4', { nam: '4' })] });
    expectRefusal(refused, 422, 'ASPECT_INVALID', '/entities/1/value/com.linkedin.metadata.snapshot.TagSnapshot/aspects/0/com.linkedin.tag.TagProperties/name');
    expect(await catalog.read('urn:li:tag:b3', 'tagProperties')).toBeUndefined();
  });
});
