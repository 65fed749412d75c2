import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal } from './support.js';

const URN = dataset('timeline.orders');
const column = (path: string) => `urn:li:schemaField:(${URN},${path})`;
const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) });
const schema = (...fields: Array<[path: string, type: string]>) => ({
  schemaName: 's',
  platform: 'urn:li:dataPlatform:kafka',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields: fields.map(([fieldPath, nativeDataType]) => ({
    fieldPath,
    nativeDataType,
    type: { type: { 'com.linkedin.schema.StringType': {} } },
  })),
});

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  // Each batch is one moment; moments are told apart by their millisecond.
  const moment = async (...writes: Array<[aspect: string, value: unknown]>) => {
    await catalog.ingest(...writes.map(([aspect, value]): [string, string, unknown] => [URN, aspect, value]));
    await setTimeout(3);
  };
  await moment(['globalTags', tags('a')], ['schemaMetadata', schema(['id', 'int'], ['name', 'text'])]);
  await moment(['ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }] }]);
  await moment(['globalTags', tags('b')], ['editableDatasetProperties', { description: 'first' }]);
  await moment(['editableDatasetProperties', { description: 'second' }]);
  await moment(['schemaMetadata', schema(['id', 'bigint'])]);
});
afterAll(() => catalog.stop());

const get = (categories: string, more = '', urn = URN) =>
  catalog.get(`/openapi/v2/timeline/v1/${encoded(urn)}?categories=${categories}${more}`);
const brief = (body: Array<{ semVer: string; semVerChange: string; changeEvents: any[] }>) =>
  body.map((t) => [
    t.semVer,
    t.semVerChange,
    ...t.changeEvents.map((e) => `${e.operation} ${e.category} ${e.modifier ?? e.entityUrn}`),
  ]);

describe('timeline', () => {
  it('tells of the assets of a data product, and of versions', async () => {
    const product = 'urn:li:dataProduct:pots';
    const set = 'urn:li:versionSet:(timeline,dataset)';
    const table = dataset('timeline.version');
    await catalog.ingest(
      [product, 'dataProductProperties', { name: 'pots', assets: [{ destinationUrn: table }] }],
      [table, 'versionProperties', { versionSet: set, version: { versionTag: '1' }, sortId: 'a' }],
    );
    const products = await get('ASSET_MEMBERSHIP,TAG', '', product);
    expect(brief(products.body)).toEqual([['0.0.0-computed', 'MINOR', `ADD ASSET_MEMBERSHIP ${table}`]]);
    const versions = await get('VERSIONING', '&includeVersionSet=true', table);
    expect(brief(versions.body)).toEqual([['0.0.0-computed', 'MINOR', `ADD VERSIONING ${set}`]]);
  });

  it('tells of the other versions of a set where these are asked for', async () => {
    const set = 'urn:li:versionSet:(timeline.merged,dataset)';
    const [first, second] = [dataset('timeline.first'), dataset('timeline.second')];
    const version = (versionTag: string) => ({
      versionSet: set,
      version: { versionTag },
      sortId: versionTag,
    });
    await catalog.ingest([first, 'versionProperties', version('1')], [first, 'globalTags', tags('a')]);
    await setTimeout(3);
    await catalog.ingest([second, 'versionProperties', version('2')], [second, 'globalTags', tags('b')]);
    await setTimeout(3);
    await catalog.ingest([first, 'globalTags', tags()]);
    const told = async (urn: string, more = '') =>
      (await get('TAG', more, urn)).body.map((t: any) => [
        t.semVer,
        ...t.changeEvents.map((e: any) => `${e.operation} ${e.modifier} ${e.entityUrn}`),
      ]);
    const all = [
      ['0.0.0-computed', `ADD urn:li:tag:a ${first}`],
      ['0.0.0-computed', `ADD urn:li:tag:b ${second}`],
      ['0.1.0-computed', `REMOVE urn:li:tag:a ${first}`],
    ];
    for (const urn of [first, second]) expect(await told(urn, '&includeVersionSet=True')).toEqual(all);
    expect(await told(second)).toEqual([all[1]]);
    expect(await told(URN, '&includeVersionSet=true')).toEqual(await told(URN));
  });

  it('tells what happened, moment by moment, and counts a version', async () => {
    const { status, body } = await get('TAG,OWNERSHIP,DOCUMENTATION,TECHNICAL_SCHEMA');
    expect(status).toBe(200);
    expect(brief(body)).toEqual(
      [
        [
          '0.0.0-computed',
          'MINOR',
          'ADD TAG urn:li:tag:a',
          `ADD TECHNICAL_SCHEMA ${column('id')}`,
          `ADD TECHNICAL_SCHEMA ${column('name')}`,
        ],
        ['0.1.0-computed', 'MINOR', `ADD OWNERSHIP ${ANN}`],
        [
          '0.2.0-computed',
          'MINOR',
          'REMOVE TAG urn:li:tag:a',
          'ADD TAG urn:li:tag:b',
          `ADD DOCUMENTATION ${URN}`,
        ],
        ['0.2.1-computed', 'PATCH', `MODIFY DOCUMENTATION ${URN}`],
        [
          '1.0.0-computed',
          'MAJOR',
          `REMOVE TECHNICAL_SCHEMA ${column('name')}`,
          `MODIFY TECHNICAL_SCHEMA ${column('id')}`,
        ],
      ].map((expected) => expect.arrayContaining(expected)),
    );
    expect(body[1]).toEqual({
      timestamp: expect.any(Number),
      actor: 'urn:li:corpuser:admin',
      semVer: '0.1.0-computed',
      semVerChange: 'MINOR',
      changeEvents: [
        {
          category: 'OWNERSHIP',
          operation: 'ADD',
          entityUrn: URN,
          modifier: ANN,
          parameters: { ownerUrn: ANN, ownerType: 'DATAOWNER' },
          semVerChange: 'MINOR',
          description: expect.stringContaining(ANN),
          auditStamp: { time: body[1].timestamp, actor: 'urn:li:corpuser:admin' },
        },
      ],
    });
  });

  it('shows the categories and the time asked for; the version counts what was before', async () => {
    const all = (await get('TAG')).body;
    expect(brief(all).map(([version]) => version)).toEqual(['0.0.0-computed', '0.1.0-computed']);
    const [first, second] = all;
    expect((await get('tag', `&startTime=${second.timestamp}`)).body).toEqual([second]);
    expect((await get('TAG', `&endTime=${first.timestamp}`)).body).toEqual([first]);
    expect((await get('TAG', `&startTime=${first.timestamp}&endTime=${second.timestamp}`)).body).toEqual(all);
    expect((await get('TAG', `&startTime=${second.timestamp + 1}`)).body).toEqual([]);
    expect((await get('GLOSSARY_TERM')).body).toEqual([]);
    expect((await get('OWNER')).body).toEqual((await get('OWNERSHIP&includeVersionSet=true')).body);
  });

  it('adds the difference of the values', async () => {
    const [, second] = (await get('TAG', '&raw=True')).body;
    expect(second.rawDiff).toEqual([
      { op: 'replace', path: '/globalTags/tags/0/tag', value: 'urn:li:tag:b' },
    ]);
  });

  it('reads on over soft deletion, and long histories', async () => {
    const urn = dataset('timeline.long');
    for (let i = 0; i < 45; i++)
      await catalog.ingest([urn, 'editableDatasetProperties', { description: `text ${i}` }]);
    await catalog.ingest([urn, 'status', { removed: true }]);
    const { body } = await get('DOCUMENTATION', '', urn);
    expect(body.flatMap((t: { changeEvents: unknown[] }) => t.changeEvents)).toHaveLength(45);
    expect(body.at(-1).changeEvents.at(-1).description).toContain('text 44');
  });

  it('refuses what it cannot answer', async () => {
    expectRefusal(await get('TAG', '', dataset('timeline.none')), 404, 'ENTITY_NOT_FOUND');
    expectRefusal(await get('NOTHING'), 400, 'PARAMETER_INVALID', '/categories');
    expectRefusal(await get('TAG', '&startTime=yesterday'), 400, 'PARAMETER_INVALID', '/startTime');
    expectRefusal(
      await catalog.get(`/openapi/v2/timeline/v1/${encoded(URN)}`),
      400,
      'PARAMETER_MISSING',
      '/categories',
    );
    expectRefusal(await get('TAG', '', 'orders'), 400, 'URN_MALFORMED', '/urn');
  });
});

describe('a timeline of very many changes', () => {
  const WIDE = dataset('timeline.wide');
  const COLUMNS = 26_000;
  const wide = (type: string) =>
    schema(...Array.from({ length: COLUMNS }, (_, i): [string, string] => [`column_${i}`, type]));

  it('is refused, and answered for a part of the time', async () => {
    await catalog.ingest([WIDE, 'schemaMetadata', wide('int')]);
    const between = Date.now() + 1;
    await setTimeout(3);
    await catalog.ingest([WIDE, 'schemaMetadata', wide('bigint')]);
    const refused = await get('TECHNICAL_SCHEMA', '', WIDE);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('at most 50000 changes');
    expect(refused.body.errors[0].pointer).toBe('/startTime');
    const answered = await get('TECHNICAL_SCHEMA', `&startTime=${between}`, WIDE);
    expect(answered.status).toBe(200);
    const [{ semVer, changeEvents }, ...others] = answered.body;
    expect([semVer, others, changeEvents.length]).toEqual(['1.0.0-computed', [], COLUMNS]);
    expect(changeEvents[COLUMNS - 1]).toMatchObject({
      operation: 'MODIFY',
      auditStamp: { actor: expect.any(String) },
    });
  });

  it('is no bound for the versions of a schema, and who changed its columns', async () => {
    const query = `{ getSchemaVersionList(input: { datasetUrn: "${WIDE}" }) { semanticVersionList { semanticVersion } }
      getSchemaBlame(input: { datasetUrn: "${WIDE}" }) { version { semanticVersion } } }`;
    const { body } = await catalog.post('/api/graphql', { query });
    expect(body.data).toEqual({
      getSchemaVersionList: {
        semanticVersionList: [{ semanticVersion: '1.0.0-computed' }, { semanticVersion: '0.0.0-computed' }],
      },
      getSchemaBlame: { version: { semanticVersion: '1.0.0-computed' } },
    });
    const timeline = `{ getTimeline(input: { urn: "${WIDE}" }) { changeTransactions { actor } } }`;
    const [error] = (await catalog.post('/api/graphql', { query: timeline })).body.errors;
    expect(error.extensions).toMatchObject({
      errorCode: 'PARAMETER_INVALID',
      pointer: '/input/changeCategories',
    });
  });

  it('has the difference of the values where it is asked for, or nothing at all', async () => {
    const answered = await get('TECHNICAL_SCHEMA', '&raw=true');
    expect(answered.body.at(-1).rawDiff).toContainEqual(
      expect.objectContaining({ op: 'replace', path: '/schemaMetadata/fields/0/nativeDataType' }),
    );
    expect((await get('GLOSSARY_TERM')).text).toBe('[]');
  });
});
