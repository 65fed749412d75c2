import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal, STAMP } from './support.js';

const column = (name: string, field: string): string => `urn:li:schemaField:(${dataset(name)},${field})`;
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),load)';
const upstreams = (...names: string[]) => ({
  upstreams: names.map((name) => ({ auditStamp: STAMP, type: 'TRANSFORMED', dataset: dataset(name) })),
});
const columns = (from: string, to: string) => ({
  fineGrainedLineages: [
    { upstreamType: 'FIELD_SET', upstreams: [from], downstreamType: 'FIELD', downstreams: [to] },
  ],
});

describe('lineage over the aspect API', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const named = (name: string): [string, string, unknown] => [dataset(name), 'datasetProperties', { name }];
    await catalog.ingest(
      ...['raw', 'clean', 'mart', 'report', 'gone'].map(named),
      [
        dataset('clean'),
        'upstreamLineage',
        {
          ...upstreams('raw', 'gone', 'never-ingested'),
          ...columns(column('raw', 'id'), column('clean', 'key')),
        },
      ],
      [
        dataset('mart'),
        'upstreamLineage',
        { ...upstreams('clean'), ...columns(column('clean', 'key'), column('mart', 'number')) },
      ],
      [dataset('gone'), 'status', { removed: true }],
      [JOB, 'dataJobInfo', { name: 'load', type: { string: 'BATCH' } }],
      [JOB, 'dataJobInputOutput', { inputDatasets: [dataset('mart')], outputDatasets: [dataset('report')] }],
    );
  });
  afterAll(() => catalog.stop());

  const [RAW, CLEAN, MART, REPORT] = ['raw', 'clean', 'mart', 'report'].map((name) => dataset(name));
  const down = { urn: RAW, direction: 'DOWNSTREAM' };
  const search = async (body: object) =>
    (await catalog.post('/entities?action=searchAcrossLineage', body)).body.value;
  const found = ({ entities }: any) => entities.map(({ entity, degree }: any) => [entity, degree]);
  const degrees = (...values: string[]) => ({
    or: [{ and: [{ field: 'degree', condition: 'EQUAL', values }] }],
  });

  it('finds what lies behind, the nearest first, with the way to each', async () => {
    const value = await search({ ...down, input: '*', start: 0, count: 10 });
    expect(value).toMatchObject({ from: 0, pageSize: 10, numEntities: 4, isPartial: false });
    expect(value.entities).toEqual([
      { entity: CLEAN, matchedFields: [], paths: [[RAW, CLEAN]], degree: 1, degrees: [1] },
      { entity: MART, matchedFields: [], paths: [[RAW, CLEAN, MART]], degree: 2, degrees: [2] },
      { entity: JOB, matchedFields: [], paths: [[RAW, CLEAN, MART, JOB]], degree: 3, degrees: [3] },
      {
        entity: REPORT,
        matchedFields: [],
        paths: [[RAW, CLEAN, MART, JOB, REPORT]],
        degree: 4,
        degrees: [4],
      },
    ]);
    expect(value.metadata).toMatchObject({
      urns: [CLEAN, MART, JOB, REPORT],
      searchResultMetadatas: expect.arrayContaining([
        { name: 'degree', aggregations: { '1': 1, '2': 1, '3+': 2 } },
      ]),
    });
  });

  it('answers a page, and has defaults for what is left out', async () => {
    const page = await search({ ...down, start: 1, count: 2 });
    expect([page.from, page.pageSize, page.numEntities, found(page)]).toEqual([
      ...[1, 2, 4],
      [
        [MART, 2],
        [JOB, 3],
      ],
    ]);
    expect((await search(down)).entities).toHaveLength(4);
    expect((await search({ ...down, input: ' ', entities: [] })).entities).toHaveLength(4);
    expect(found(await search({ urn: dataset('nowhere'), direction: 'UPSTREAM' }))).toEqual([]);
  });

  it('goes as far as asked, by steps or by degree', async () => {
    const near = [[CLEAN, 1]];
    expect(found(await search({ ...down, maxHops: 1 }))).toEqual(near);
    expect(found(await search({ ...down, filter: degrees('1') }))).toEqual(near);
    expect(found(await search({ ...down, filter: degrees('3+'), maxHops: 3 }))).toEqual([[JOB, 3]]);
    expect(found(await search({ ...down, maxHops: 1000 }))).toHaveLength(4);
  });

  it('looks for types, texts and values, in an order', async () => {
    expect(found(await search({ ...down, entities: ['DATAJOB'] }))).toEqual([[JOB, 3]]);
    expect(found(await search({ ...down, input: 'mart' }))).toEqual([[MART, 2]]);
    const filter = { or: [{ and: [{ field: 'name', condition: 'START_WITH', values: ['rep'] }] }] };
    expect(found(await search({ ...down, filter }))).toEqual([[REPORT, 4]]);
    const sortCriteria = [{ field: 'urn', order: 'DESCENDING' }];
    expect(found(await search({ ...down, entities: ['dataset'], sortCriteria }))).toEqual([
      [REPORT, 4],
      [MART, 2],
      [CLEAN, 1],
    ]);
    const deleted = { urn: CLEAN, direction: 'UPSTREAM', searchFlags: { includeSoftDeleted: true } };
    expect(
      found(await search(deleted))
        .map(([urn]: [string]) => urn)
        .sort(),
    ).toEqual([dataset('gone'), RAW].sort());
  });

  it('walks along columns: their datasets stand for them, or they themselves', async () => {
    const from = { urn: column('raw', 'id'), direction: 'DOWNSTREAM' };
    expect(found(await search(from))).toEqual([
      [CLEAN, 1],
      [MART, 2],
    ]);
    const grouping = { baseEntityType: 'schemaField', groupingEntityType: 'schemaField' };
    const value = await search({ ...from, searchFlags: { groupingSpec: { groupingCriteria: [grouping] } } });
    expect(value.entities.map(({ entity, paths }: any) => [entity, paths])).toEqual([
      [column('clean', 'key'), [[column('raw', 'id'), column('clean', 'key')]]],
      [column('mart', 'number'), [[column('raw', 'id'), column('clean', 'key'), column('mart', 'number')]]],
    ]);
  });

  it('is walked over page by page', async () => {
    const seen: unknown[] = [];
    let scrollId: string | undefined;
    do {
      const { body } = await catalog.post('/entities?action=scrollAcrossLineage', {
        ...{ ...down, count: 3, keepAlive: '5m' },
        ...(scrollId !== undefined && { scrollId }),
      });
      expect(body.value).toMatchObject({ numEntities: 4, pageSize: 3, isPartial: false });
      seen.push(found(body.value));
      scrollId = body.value.scrollId;
    } while (scrollId !== undefined);
    expect(seen).toEqual([
      [
        [CLEAN, 1],
        [MART, 2],
        [JOB, 3],
      ],
      [[REPORT, 4]],
    ]);
  });

  it('is walked over with scroll ids of the same walk only', async () => {
    const scroll = (body: object) => catalog.post('/entities?action=scrollAcrossLineage', body);
    const { scrollId } = (await scroll({ ...down, count: 1 })).body.value;
    expect((await scroll({ ...down, count: 2, scrollId })).status).toBe(200);
    for (const other of [{ direction: 'UPSTREAM' }, { maxHops: 2 }, { input: 'mart' }])
      expectRefusal(await scroll({ ...down, ...other, scrollId }), 400, 'PARAMETER_INVALID', '/scrollId');
  });

  const lineage = async (body: object) =>
    (await catalog.post('/relationships?action=getLineage', body)).body.value;

  it('is listed one step at a time, or several, whether or not its ends exist', async () => {
    const next = await lineage({ urn: CLEAN, direction: 'UPSTREAM' });
    expect(next).toMatchObject({ start: 0, count: 3, total: 3, isPartial: false });
    expect(next.relationships).toEqual(
      expect.arrayContaining(
        [RAW, dataset('gone'), dataset('never-ingested')].map((entity) => ({
          ...{ type: 'DownstreamOf', entity, degree: 1, degrees: [1] },
          paths: [[CLEAN, entity]],
        })),
      ),
    );
    const far = await lineage({ ...down, maxHops: 4, start: 1, count: 2 });
    expect(far).toMatchObject({ start: 1, count: 2, total: 4 });
    expect(far.relationships).toEqual([
      {
        ...{ type: 'DownstreamOf', entity: MART, degree: 2, degrees: [2] },
        paths: [[RAW, CLEAN, MART]],
      },
      { type: 'Consumes', entity: JOB, degree: 3, degrees: [3], paths: [[RAW, CLEAN, MART, JOB]] },
    ]);
    expect(await lineage({ urn: dataset('nowhere'), direction: 'DOWNSTREAM' })).toEqual({
      ...{ start: 0, count: 0, total: 0, relationships: [], isPartial: false },
    });
    const ofColumn = await lineage({ urn: column('mart', 'number'), direction: 'UPSTREAM', maxHops: 2 });
    expect(ofColumn.relationships.map(({ type, entity }: any) => [type, entity])).toEqual([
      ['DownstreamOf', column('clean', 'key')],
      ['DownstreamOf', column('raw', 'id')],
    ]);
  });

  it.each<[object, string, string]>([
    [{ direction: 'UPSTREAM' }, 'PARAMETER_MISSING', '/urn'],
    [{ urn: RAW }, 'PARAMETER_MISSING', '/direction'],
    [{ ...down, direction: 'SIDEWAYS' }, 'PARAMETER_INVALID', '/direction'],
    [{ ...down, urn: 'raw' }, 'URN_MALFORMED', '/urn'],
    [{ ...down, urn: 'urn:li:nothing:a' }, 'ENTITY_UNKNOWN', '/urn'],
    [{ ...down, maxHops: 0 }, 'PARAMETER_INVALID', '/maxHops'],
    [{ ...down, start: -1 }, 'PARAMETER_INVALID', '/start'],
    [{ ...down, strange: 1 }, 'PARAMETER_INVALID', '/strange'],
  ])('is not walked along for %j', async (body, code, pointer) => {
    for (const action of ['entities?action=searchAcrossLineage', 'relationships?action=getLineage'])
      expectRefusal(await catalog.post(`/${action}`, body), 400, code, pointer);
  });

  it.each<[string, object, string, string]>([
    ['search', { ...down, entities: ['dataset', 'nothing'] }, 'ENTITY_UNKNOWN', '/entities/1'],
    ['search', { ...down, filter: degrees('4') }, 'FILTER_INVALID', '/filter/or/0/and/0/values/0'],
    ['search', { ...down, filter: { and: [] } }, 'FILTER_INVALID', '/filter/and'],
    ['search', { ...down, start: 10_000 }, 'PARAMETER_INVALID', '/start'],
    ['search', { ...down, sort: { field: '' } }, 'PARAMETER_INVALID', '/sort/field'],
    ['scroll', { ...down, scrollId: 'x' }, 'PARAMETER_INVALID', '/scrollId'],
    ['scroll', { ...down, start: 1 }, 'PARAMETER_INVALID', '/start'],
  ])('is not %sed for %j', async (word, body, code, pointer) => {
    expectRefusal(await catalog.post(`/entities?action=${word}AcrossLineage`, body), 400, code, pointer);
  });
});

describe('a chain of a thousand datasets', () => {
  let catalog: TestCatalog;
  const link = (i: number) => dataset(`chain.${String(i).padStart(4, '0')}`);
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const links = Array.from({ length: 1_000 }, (_, i): [string, string, unknown] => [
      link(i + 1),
      'upstreamLineage',
      { upstreams: [{ auditStamp: STAMP, type: 'TRANSFORMED', dataset: link(i) }] },
    ]);
    await catalog.ingest(...links);
  });
  afterAll(() => catalog.stop());

  it('is answered in part, and refused where all ways to it would be too long', async () => {
    const asked = { urn: link(0), direction: 'DOWNSTREAM', maxHops: 2_000 };
    for (const action of ['entities?action=searchAcrossLineage', 'relationships?action=getLineage']) {
      expectRefusal(
        await catalog.post(`/${action}`, { ...asked, count: 1_000 }),
        400,
        'PARAMETER_INVALID',
        '/count',
      );
      const { body } = await catalog.post(`/${action}`, { ...asked, start: 990, count: 10 });
      const hits = body.value.entities ?? body.value.relationships;
      expect(hits.map(({ degree, paths }: any) => [degree, paths[0].length])).toEqual(
        Array.from({ length: 10 }, (_, i) => [991 + i, 992 + i]),
      );
    }
  });
});
