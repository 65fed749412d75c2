import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal, STAMP } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const list = async (direction: string, urn: string, more = '') =>
  (await catalog.get(`/relationships?direction=${direction}&urn=${encoded(urn)}${more}`)).body;
const listV1 = async (direction: string, urn: string, more = '') =>
  (await catalog.get(`/openapi/relationships/v1/?direction=${direction}&urn=${encoded(urn)}${more}`)).body;

const tagged = (tag: string) => ({ tags: [{ tag }] });
const at = { created: STAMP, lastModified: STAMP };

describe('relationships', () => {
  it('knows data types and entity types by any vendor word', async () => {
    const property = (name: string) => `urn:li:structuredProperty:words.${name}`;
    const of = (word: string) => `urn:li:entityType:${word}.mlModel`;
    for (const word of ['platform', 'datahub'])
      await catalog.ingest([
        property(word),
        'propertyDefinition',
        {
          ...{ qualifiedName: `words.${word}`, valueType: 'urn:li:dataType:datahub.string' },
          entityTypes: [of(word)],
        },
      ]);
    const both = ['platform', 'datahub'].map(property);
    for (const word of ['platform', 'datahub', 'acme']) {
      const { entities, total } = await list('INCOMING', of(word), '&types=StructuredPropertyOf');
      expect([entities, total]).toEqual([both, 2]);
      const old = await listV1('INCOMING', of(word));
      expect(old.entities.map(({ urn }: { urn: string }) => urn)).toEqual(both);
      const walked = await catalog.get(
        `/openapi/v3/relationship/entityType/${encoded(of(word))}?direction=INCOMING`,
      );
      expect(walked.body.results.map(({ source }: any) => source.urn)).toEqual(both);
    }
    const aliases = ['platform', 'datahub', 'acme'].map(
      (word) => `${word}: entity(urn: "${of(word)}") { ...by }`,
    );
    const { body } = await catalog.post('/api/graphql', {
      query: `{ ${aliases.join(' ')} } fragment by on EntityTypeEntity {
        relationships(input: { types: ["StructuredPropertyOf"], direction: INCOMING }) {
          total relationships { type entity { urn } } } }`,
    });
    const neighbours = both.map((urn) => ({ type: 'StructuredPropertyOf', entity: { urn } }));
    const expected = { relationships: { total: 2, relationships: neighbours } };
    expect(body.data).toEqual({ platform: expected, datahub: expected, acme: expected });
    const told = await list('OUTGOING', property('datahub'));
    expect(told.entities).toEqual([of('datahub')]);
  });

  it.each<[type: string, source: string, aspect: string, value: object, target: string]>([
    ['OwnedBy', dataset('owned'), 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }] }, ANN],
    [
      'OwnedBy',
      dataset('owned2'),
      'ownership',
      { owners: [{ owner: 'urn:li:corpGroup:g', type: 'DATAOWNER' }] },
      'urn:li:corpGroup:g',
    ],
    ['TaggedWith', dataset('tagged'), 'globalTags', tagged('urn:li:tag:t1'), 'urn:li:tag:t1'],
    [
      'EditableSchemaFieldTaggedWith',
      dataset('column'),
      'editableSchemaMetadata',
      { editableSchemaFieldInfo: [{ fieldPath: 'a', globalTags: tagged('urn:li:tag:t2') }] },
      'urn:li:tag:t2',
    ],
    [
      'DownstreamOf',
      dataset('down'),
      'upstreamLineage',
      { upstreams: [{ type: 'TRANSFORMED', dataset: dataset('up') }] },
      dataset('up'),
    ],
    [
      'TermedWith',
      dataset('termed'),
      'glossaryTerms',
      { terms: [{ urn: 'urn:li:glossaryTerm:a.b' }], auditStamp: STAMP },
      'urn:li:glossaryTerm:a.b',
    ],
    [
      'Consumes',
      'urn:li:chart:(looker,1)',
      'chartInfo',
      { title: 't', description: 'd', inputs: [{ string: dataset('input') }], lastModified: at },
      dataset('input'),
    ],
    [
      'Contains',
      'urn:li:dashboard:(looker,1)',
      'dashboardInfo',
      { title: 't', description: 'd', charts: ['urn:li:chart:(looker,2)'], lastModified: at },
      'urn:li:chart:(looker,2)',
    ],
    [
      'IsPartOf',
      'urn:li:corpGroup:p',
      'corpGroupInfo',
      { admins: [], members: ['urn:li:corpuser:m'], groups: [] },
      'urn:li:corpuser:m',
    ],
    [
      'IsPartOf',
      'urn:li:glossaryTerm:child',
      'glossaryTermInfo',
      { definition: 'd', termSource: 'INTERNAL', parentNode: 'urn:li:glossaryNode:n' },
      'urn:li:glossaryNode:n',
    ],
  ])('%s is seen from %s and from its target', async (type, source, aspect, value, target) => {
    await catalog.ingest([source, aspect, value]);
    expect(await list('OUTGOING', source, `&types=${type}`)).toEqual({
      start: 0,
      count: 1,
      total: 1,
      entities: [target],
      relationships: [{ type, entity: target }],
    });
    expect(await list('INCOMING', target, `&types=List(${type})`)).toEqual({
      start: 0,
      count: 1,
      total: 1,
      entities: [source],
      relationships: [{ type, entity: source }],
    });
    expect(await listV1('INCOMING', target, `&relationshipTypes=${type}`)).toEqual({
      start: 0,
      count: 1,
      total: 1,
      entities: [{ urn: source, relationshipType: type }],
    });
    expect((await list('OUTGOING', target, `&types=${type}`)).entities).toEqual([]);
  });

  it('follow the latest value of the aspect', async () => {
    const urn = dataset('moving');
    const tags = async () => (await list('OUTGOING', urn, '&types=TaggedWith')).entities;
    await catalog.ingest([urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }] }]);
    expect(await tags()).toEqual(['urn:li:tag:a', 'urn:li:tag:b']);
    await catalog.ingest([urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:b' }, { tag: 'urn:li:tag:c' }] }]);
    expect(await tags()).toEqual(['urn:li:tag:b', 'urn:li:tag:c']);
    await catalog.propose(urn, 'globalTags', undefined, { changeType: 'DELETE' });
    expect(await tags()).toEqual([]);
  });

  it('go with the entity, but stay over a soft deletion', async () => {
    const urn = dataset('leaving');
    await catalog.ingest(
      [urn, 'globalTags', tagged('urn:li:tag:leaving')],
      [urn, 'status', { removed: true }],
    );
    expect((await list('INCOMING', 'urn:li:tag:leaving')).entities).toEqual([urn]);
    await catalog.propose(urn, 'datasetKey', undefined, { changeType: 'DELETE' });
    expect((await list('INCOMING', 'urn:li:tag:leaving')).total).toBe(0);
    expect((await list('OUTGOING', urn)).total).toBe(0);
  });

  it('count a neighbour once per type, and once among the entities', async () => {
    const urn = dataset('twice');
    const both = {
      owners: [
        { owner: 'urn:li:corpuser:two', type: 'DATAOWNER' },
        { owner: 'urn:li:corpuser:two', type: 'TECHNICAL_OWNER' },
      ],
    };
    await catalog.ingest([urn, 'ownership', both], [urn, 'globalTags', tagged('urn:li:tag:two')]);
    const body = await list('OUTGOING', urn);
    expect(body.relationships).toEqual([
      { type: 'OwnedBy', entity: 'urn:li:corpuser:two' },
      { type: 'TaggedWith', entity: 'urn:li:tag:two' },
    ]);
    expect(body.total).toBe(2);
  });

  it.each(['List(OwnedBy,TaggedWith)', 'OwnedBy&types=TaggedWith', 'List(OwnedBy)&types=List(TaggedWith)'])(
    'of several types are asked for with %s',
    async (types) => {
      const urn = dataset('several');
      await catalog.ingest(
        [urn, 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }] }],
        [urn, 'globalTags', tagged('urn:li:tag:several')],
        [urn, 'upstreamLineage', { upstreams: [{ type: 'TRANSFORMED', dataset: dataset('x') }] }],
      );
      expect((await list('OUTGOING', urn, `&types=${types}`)).entities).toEqual([ANN, 'urn:li:tag:several']);
      expect((await list('OUTGOING', urn)).total).toBe(3);
    },
  );

  it('of what nobody knows are none', async () => {
    const empty = { start: 0, count: 0, total: 0, entities: [] };
    expect(await list('INCOMING', 'urn:li:tag:nobody')).toEqual({ ...empty, relationships: [] });
    expect(await listV1('OUTGOING', 'urn:li:tag:nobody')).toEqual(empty);
    expect((await list('INCOMING', 'urn:li:tag:nobody', '&types=TaggedWith')).entities).toEqual([]);
  });
});

describe('pages', () => {
  const TAG = 'urn:li:tag:popular';
  const urns = Array.from({ length: 25 }, (_, i) => dataset(`page${String(i).padStart(2, '0')}`));
  beforeAll(() =>
    catalog.ingest(...urns.map((urn): [string, string, unknown] => [urn, 'globalTags', tagged(TAG)])),
  );

  it('of /openapi/relationships/v1 meet each entity once, adding count to start until it is 0', async () => {
    const seen: string[] = [];
    for (let start = 0, count = 1; count > 0; start += count) {
      const body = await listV1('INCOMING', TAG, `&relationshipTypes=TaggedWith&start=${start}&count=10`);
      expect([body.start, body.total]).toEqual([start, 25]);
      expect(body.count).toBe(body.entities.length);
      seen.push(...body.entities.map((e: { urn: string }) => e.urn));
      count = body.count;
    }
    expect(seen.sort()).toEqual(urns);
  });

  it.each([
    ['&start=20&count=10', 5],
    ['&start=25', 0],
    ['&start=9007199254740991&count=9007199254740991', 0],
    ['&count=0', 0],
    ['&count=1000000', 25],
  ])('of /relationships hold what %s asks for', async (page, count) => {
    const body = await list('INCOMING', TAG, page);
    expect([body.entities.length, body.count, body.total]).toEqual([count, count, 25]);
  });

  it('with the slash and without', async () => {
    const query = `direction=INCOMING&urn=${encoded(TAG)}`;
    expect((await catalog.get(`/openapi/relationships/v1?${query}`)).body.total).toBe(25);
    expect((await catalog.get(`/relationships/?${query}`)).body.total).toBe(25);
  });
});

describe('refused', () => {
  const urn = `urn=${encoded(ANN)}`;
  it.each([
    [urn, 'PARAMETER_MISSING', '/direction'],
    [`${urn}&direction=BOTH`, 'PARAMETER_INVALID', '/direction'],
    ['direction=INCOMING', 'PARAMETER_MISSING', '/urn'],
    ['direction=INCOMING&urn=ann', 'URN_MALFORMED', '/urn'],
    [`${urn}&${urn}&direction=INCOMING`, 'PARAMETER_INVALID', '/urn'],
    [`${urn}&direction=INCOMING&start=-1`, 'PARAMETER_INVALID', '/start'],
    [`${urn}&direction=INCOMING&count=-1`, 'PARAMETER_INVALID', '/count'],
    [`${urn}&direction=INCOMING&count=1.5`, 'PARAMETER_INVALID', '/count'],
    [`${urn}&direction=INCOMING&count=99999999999999999999`, 'PARAMETER_INVALID', '/count'],
  ])('are requests with %s, on both surfaces', async (query, code, pointer) => {
    for (const [path, type] of [
      ['/relationships', /^application\/json/],
      ['/openapi/relationships/v1/', /^application\/problem\+json/],
    ] as const) {
      const answer = await catalog.get(`${path}?${query}`);
      expectRefusal(answer, 400, code, pointer);
      expect(answer.headers.get('content-type')).toMatch(type);
    }
  });

  it('a column has the columns that lineage leads to, before what names it', async () => {
    const column = (name: string) => `urn:li:schemaField:(${dataset(name)},a)`;
    const [top, mid, low] = ['columns.top', 'columns.mid', 'columns.low'];
    const from = (upper: string, lower: string) => ({
      upstreams: [{ type: 'TRANSFORMED', dataset: dataset(upper) }],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          downstreamType: 'FIELD',
          upstreams: [column(upper)],
          downstreams: [column(lower)],
        },
      ],
    });
    await catalog.propose(dataset(mid), 'upstreamLineage', from(top, mid));
    await catalog.propose(dataset(low), 'upstreamLineage', from(mid, low));

    const types = '&types=List(DownstreamOf)';
    expect((await list('OUTGOING', column(mid), types)).relationships).toEqual([
      { type: 'DownstreamOf', entity: column(top) },
    ]);
    const below = [
      { type: 'DownstreamOf', entity: column(low) },
      { type: 'DownstreamOf', entity: dataset(low) },
    ];
    for (const asked of [types, '&types=DownstreamOf', ''])
      expect(await list('INCOMING', column(mid), asked)).toMatchObject({ total: 2, relationships: below });
    for (const [start, there] of below.entries())
      expect(await list('INCOMING', column(mid), `${types}&start=${start}&count=1`)).toMatchObject({
        ...{ start, count: 1, total: 2 },
        relationships: [there],
      });
    expect(await list('INCOMING', column(mid), `${types}&start=2`)).toMatchObject({ count: 0, total: 2 });
    expect((await listV1('INCOMING', column(mid), '&relationshipTypes=DownstreamOf')).entities).toEqual(
      below.map(({ type, entity }) => ({ urn: entity, relationshipType: type })),
    );
    expect(await list('INCOMING', column(mid), '&types=TaggedWith')).toMatchObject({ total: 0 });
    expect(await list('OUTGOING', column(top), types)).toMatchObject({ total: 0 });
  });
});
