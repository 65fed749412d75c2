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
  it('is answered with and without a slash at the end of the path', async () => {
    for (const path of [V2, V2.replace('?', '/?')]) {
      const answer = await catalog.post(path, {
        proposal: proposal(dataset('w.slash'), 'status', { removed: false }),
      });
      expect([answer.status, answer.body]).toEqual([200, { value: dataset('w.slash') }]);
    }
  });

  it.each<[entity: string, aspect: string, value: Record<string, unknown>]>([
    [
      'urn:li:glossaryTerm:Classification.Public',
      'glossaryTermInfo',
      {
        name: 'Public',
        definition: 'May be seen by everybody.',
        termSource: 'EXTERNAL',
        sourceRef: 'ISO',
        sourceUrl: 'https://example.org/iso',
        customProperties: { level: '1' },
      },
    ],
    [
      dataset('w.ownership'),
      'ownership',
      { owners: [{ owner: ANN, type: 'DATAOWNER' }], lastModified: STAMP },
    ],
    [
      dataset('w.memory'),
      'institutionalMemory',
      {
        elements: [{ url: 'https://example.org/wiki', description: 'Wiki', createStamp: STAMP }],
      },
    ],
    [
      dataset('w.schema'),
      'schemaMetadata',
      {
        schemaName: 'orders',
        platform: 'urn:li:dataPlatform:kafka',
        version: 0,
        hash: '',
        created: STAMP,
        lastModified: STAMP,
        platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '{"type":"record"}' } },
        fields: [
          {
            fieldPath: 'customer',
            description: 'Who',
            nativeDataType: 'record',
            type: FIELD_TYPE('RecordType'),
            nullable: false,
            isPartOfKey: false,
            recursive: false,
          },
          {
            fieldPath: 'customer.name',
            nativeDataType: 'varchar(100)',
            type: FIELD_TYPE('StringType'),
            nullable: true,
            isPartOfKey: true,
            recursive: false,
          },
          {
            fieldPath: 'placed',
            nativeDataType: 'date',
            type: FIELD_TYPE('DateType'),
            nullable: true,
            isPartOfKey: false,
            recursive: false,
          },
          {
            fieldPath: 'amount',
            nativeDataType: 'int',
            type: FIELD_TYPE('NumberType'),
            nullable: true,
            isPartOfKey: false,
            recursive: false,
          },
        ],
      },
    ],
    [
      dataset('w.editable'),
      'editableSchemaMetadata',
      {
        created: STAMP,
        lastModified: STAMP,
        editableSchemaFieldInfo: [
          { fieldPath: 'customer.name', globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } },
        ],
      },
    ],
    [dataset('w.tags'), 'globalTags', { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }] }],
    ['urn:li:tag:pii', 'tagProperties', { name: 'PII', description: 'Personal data' }],
    [dataset('w.status'), 'status', { removed: false }],
    [dataset('w.browse'), 'browsePaths', { paths: ['/prod/kafka/w', '/prod/other'] }],
    [dataset('w.platform'), 'dataPlatformInstance', { platform: 'urn:li:dataPlatform:kafka' }],
    [
      dataset('w.lineage'),
      'upstreamLineage',
      {
        upstreams: [{ auditStamp: STAMP, type: 'TRANSFORMED', dataset: dataset('w.source') }],
      },
    ],
    [
      ANN,
      'corpUserInfo',
      { active: true, displayName: 'Ann', fullName: 'Ann Smith', email: 'ann@example.org' },
    ],
    [
      'urn:li:corpGroup:data',
      'corpGroupInfo',
      { email: 'data@example.org', admins: [ANN], members: [ANN, BOB], groups: [] },
    ],
    [
      'urn:li:chart:(looker,1)',
      'chartInfo',
      {
        title: 'Orders',
        description: 'By day',
        inputs: [{ string: dataset('w.source') }],
        lastModified: { created: STAMP, lastModified: STAMP },
      },
    ],
    [
      'urn:li:dashboard:(looker,2)',
      'dashboardInfo',
      {
        title: 'Sales',
        description: 'All of it',
        charts: ['urn:li:chart:(looker,1)'],
        lastModified: { created: STAMP, lastModified: STAMP },
      },
    ],
    [
      'urn:li:structuredProperty:io.acme.retention',
      'propertyDefinition',
      {
        qualifiedName: 'io.acme.retention',
        displayName: 'Retention',
        description: 'Days to keep',
        valueType: 'urn:li:dataType:platform.number',
        cardinality: 'SINGLE',
        entityTypes: ['urn:li:entityType:platform.dataset'],
        allowedValues: [
          { value: { double: 30 }, description: 'A month' },
          { value: { double: 365 }, description: 'A year' },
        ],
      },
    ],
    [dataset('w.properties'), 'status', { removed: false }],
    [
      dataset('w.properties'),
      'structuredProperties',
      {
        properties: [
          { propertyUrn: 'urn:li:structuredProperty:io.acme.retention', values: [{ double: 30 }] },
        ],
      },
    ],
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

  it.each([
    ['a URN of 512 bytes', `urn:li:tag:${'ü'.repeat(250)}x`],
    ['a URN of 512 letters', `urn:li:tag:${'x'.repeat(501)}`],
    ['a tuple of 512 bytes', dataset('x'.repeat(512 - dataset('').length))],
  ])('takes %s', async (_, urn) => {
    expect(Buffer.byteLength(urn)).toBe(512);
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
    expect((await catalog.search(urn.split(':')[2]!, urn)).entities).toEqual([urn]);
  });

  it('takes a body just below 16 MiB', async () => {
    const value = { schemaName: 'x'.repeat(16 * 1024 * 1024 - 2000) };
    const answer = await catalog.propose(dataset('w.big'), 'schemaMetadata', value);
    expectRefusal(answer, 422, 'ASPECT_INVALID', '/proposal/aspect/value/fields');
  });

  it('keeps a text of a megabyte', async () => {
    const description = 'Kestrels and ospreys. '.repeat(50_000);
    await catalog.ingest([dataset('w.long'), 'datasetProperties', { description }]);
    expect((await catalog.read(dataset('w.long'), 'datasetProperties')).description === description).toBe(
      true,
    );
    expect(
      (await catalog.search('dataset', 'ospreys', { searchFlags: { skipHighlighting: true } })).entities,
    ).toEqual([dataset('w.long')]);
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
      [0, 1, 2, 3, 4].map(
        async (n) =>
          (await version(catalog, urn, 'datasetProperties', n)) as { description?: string } | undefined,
      ),
    );
    expect(texts.map((t) => t?.description)).toEqual(['three', 'one', 'two', 'three', undefined]);
  });

  it('puts a new entity below all containers of its container, also where one got its own later', async () => {
    const container = (name: string) => `urn:li:container:w-${name}`;
    const inside = (name: string, outer: string): [string, string, unknown] => [
      name,
      'container',
      { container: container(outer) },
    ];
    const pathOf = async (urn: string) => (await catalog.read(urn, 'browsePathsV2'))['path'];
    const step = (name: string) => ({ id: container(name), urn: container(name) });
    for (const name of ['database', 'schema', 'folder'])
      await catalog.ingest([container(name), 'containerProperties', { name }]);
    await catalog.ingest(inside(container('folder'), 'schema'));
    await catalog.ingest(inside(container('schema'), 'database'));
    await catalog.ingest(inside(dataset('w.below'), 'folder'));
    const below = [step('database'), step('schema'), step('folder')];
    expect(await pathOf(dataset('w.below'))).toEqual(below);
    // The outermost container may be somewhere itself.
    await catalog.ingest([container('database'), 'browsePathsV2', { path: [{ id: 'instance' }] }]);
    await catalog.ingest(inside(dataset('w.below.instance'), 'folder'));
    expect(await pathOf(dataset('w.below.instance'))).toEqual([{ id: 'instance' }, ...below]);
    // Containers in a circle end where they began.
    await catalog.ingest(inside(container('round'), 'round'), inside(dataset('w.round'), 'round'));
    expect(await pathOf(dataset('w.round'))).toEqual([step('round')]);
  });

  it('keeps every one of many writes that come at once', async () => {
    const urn = dataset('w.many');
    const words = Array.from({ length: 25 }, (_, i) => `word ${i}`);
    const answers = await Promise.all(
      words.map((description) => catalog.propose(urn, 'datasetProperties', { description })),
    );
    expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
    const versions = await Promise.all(
      words.map((_, i) => version(catalog, urn, 'datasetProperties', i + 1)),
    );
    expect(versions.map((v) => (v as { description: string }).description).sort()).toEqual([...words].sort());
  });

  it('notes the user of the token as the actor, whatever the request says', async () => {
    const { token } = await catalog.issueToken({ user: 'carl' });
    const urn = dataset('w.actor');
    const auditHeader = { time: 1, actor: BOB };
    const answer = await catalog.post(
      V2,
      { proposal: proposal(urn, 'status', { removed: false }, { auditHeader }) },
      {
        token,
        headers: { 'x-actor': BOB, 'x-restli-user': BOB },
      },
    );
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

describe('what must exist', () => {
  const property = 'urn:li:structuredProperty:w.made';
  const definition = {
    qualifiedName: 'w.made',
    valueType: 'urn:li:dataType:platform.string',
    entityTypes: ['urn:li:entityType:platform.dataset'],
  };
  const values = { properties: [{ propertyUrn: property, values: [{ string: 'a' }] }] };

  it('is the property of a value, which may come in the same request', async () => {
    const urn = dataset('w.asset');
    const answer = await catalog.propose(urn, 'structuredProperties', values);
    expectRefusal(answer, 422, 'REFERENCE_MISSING', '/proposal/aspect/value/properties/0/propertyUrn');
    expect(await catalog.read(urn, 'structuredProperties')).toBeUndefined();
    await catalog.ingest(
      [property, 'propertyDefinition', definition],
      [urn, 'status', { removed: false }],
      [urn, 'structuredProperties', values],
    );
    expect(await catalog.read(urn, 'structuredProperties')).toMatchObject(values);
  });

  it('is the data type of a property, under any vendor word', async () => {
    const define = (valueType: string) =>
      catalog.propose('urn:li:structuredProperty:w.type', 'propertyDefinition', {
        ...definition,
        qualifiedName: 'w.type',
        valueType,
      });
    expectRefusal(
      await define('urn:li:dataType:platform.nope'),
      422,
      'REFERENCE_MISSING',
      '/proposal/aspect/value/valueType',
    );
    expect((await define('urn:li:dataType:acme.string')).status).toBe(200);
    expect((await catalog.read('urn:li:structuredProperty:w.type', 'propertyDefinition')).valueType).toBe(
      'urn:li:dataType:acme.string',
    );
  });

  it('is the entity that is soft-deleted, but not the one that is not', async () => {
    const urn = dataset('w.unborn');
    expectRefusal(
      await catalog.propose(urn, 'status', { removed: true }),
      404,
      'ENTITY_NOT_FOUND',
      '/proposal',
    );
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
    expect((await catalog.propose(urn, 'status', { removed: false })).status).toBe(200);
    expect((await catalog.propose(urn, 'status', { removed: true })).status).toBe(200);
  });

  it('may be what the same request brings and soft-deletes, in any order', async () => {
    const status = { value: { removed: true } };
    const datasetProperties = { value: { name: 'gone' } };
    for (const [name, aspects] of [
      ['w.status-first', { status, datasetProperties }],
      ['w.status-last', { datasetProperties, status }],
    ] as const) {
      const urn = dataset(name);
      const answer = await catalog.post('/openapi/v3/entity/dataset?async=false', [{ urn, ...aspects }]);
      expect(answer.status).toBe(200);
      expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
    }
    const urn = dataset('w.snapshot');
    const aspects = [
      { 'com.linkedin.common.Status': { removed: true } },
      { 'com.linkedin.dataset.DatasetProperties': { name: 'gone' } },
    ];
    const value = { 'com.linkedin.metadata.snapshot.DatasetSnapshot': { urn, aspects } };
    expect((await catalog.post('/entities?action=ingest', { entity: { value } })).status).toBe(200);
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject({ name: 'gone' });
    const property = 'urn:li:structuredProperty:w.status-first';
    const propertyDefinition = {
      value: {
        qualifiedName: 'w.status-first',
        valueType: 'urn:li:dataType:platform.string',
        entityTypes: ['urn:li:entityType:platform.dataset'],
      },
    };
    const body = [{ urn: property, status, propertyDefinition }];
    expect((await catalog.post('/openapi/v3/entity/structuredProperty?async=false', body)).status).toBe(200);
    expect(await catalog.read(property, 'status')).toEqual({ removed: true });
  });

  it.each([
    ['tags', 'globalTags', { tags: [{ tag: 'urn:li:tag:nobody-made-me' }] }],
    ['owners', 'ownership', { owners: [{ owner: 'urn:li:corpuser:nobody', type: 'DATAOWNER' }] }],
    ['upstreams', 'upstreamLineage', { upstreams: [{ type: 'TRANSFORMED', dataset: dataset('w.nowhere') }] }],
  ])('are not %s: they may come later', async (_, aspect, value) => {
    expect((await catalog.propose(dataset('w.dangling'), aspect, value)).status).toBe(200);
  });
});
