import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const column = (name: string, field: string): string => `urn:li:schemaField:(${urn(name)},${field})`;
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),load)';
const CHART = 'urn:li:chart:(looker,revenue)';
const STAMP = { time: 1, actor: 'urn:li:corpuser:ann' };
const upstreams = (...names: string[]) => ({
  upstreams: names.map((name) => ({ auditStamp: STAMP, type: 'TRANSFORMED', dataset: urn(name) })),
});

/** The walk that the field's client makes. */
const WALK = `query walk($input: ScrollAcrossLineageInput!) {
  scrollAcrossLineage(input: $input) {
    nextScrollId
    searchResults {
      degree
      entity {
        urn type
        ... on Dataset { name platform { name } properties { description } }
        ... on DataJob { jobId dataPlatformInstance { platform { name } } properties { name description } }
      }
      paths { path { urn type } }
    }
  }
}`;
const hops = (...degrees: string[]) => [{ and: [{ field: 'degree', values: degrees, condition: 'EQUAL' }] }];

describe('lineage over GraphQL', () => {
  let catalog: TestCatalog;
  const walk = async (input: Record<string, unknown>): Promise<Array<[string, number]>> => {
    const found: Array<[string, number]> = [];
    let scrollId: string | null = null;
    do {
      const answer: any = await data(catalog, WALK, { input: { count: 2, types: null, ...input, scrollId } });
      for (const { entity, degree, paths } of answer.scrollAcrossLineage.searchResults) {
        expect(paths).toEqual(expect.any(Array));
        found.push([entity.urn, degree]);
      }
      scrollId = answer.scrollAcrossLineage.nextScrollId;
    } while (scrollId !== null);
    return found;
  };

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const named = (name: string): [string, string, unknown] => [urn(name), 'datasetProperties', { name }];
    await catalog.ingest(
      ...['raw', 'clean', 'mart', 'report', 'gone'].map(named),
      [
        urn('clean'),
        'upstreamLineage',
        {
          ...upstreams('raw', 'gone', 'never-ingested'),
          fineGrainedLineages: [
            {
              upstreamType: 'FIELD_SET',
              upstreams: [column('raw', 'id')],
              downstreamType: 'FIELD',
              downstreams: [column('clean', 'key')],
              confidenceScore: 1,
            },
          ],
        },
      ],
      [
        urn('mart'),
        'upstreamLineage',
        {
          ...upstreams('clean'),
          fineGrainedLineages: [
            {
              upstreamType: 'FIELD_SET',
              upstreams: [column('clean', 'key')],
              downstreamType: 'FIELD',
              downstreams: [column('mart', 'number')],
              confidenceScore: 1,
            },
          ],
        },
      ],
      [urn('gone'), 'status', { removed: true }],
      [JOB, 'dataJobInfo', { name: 'load', type: { string: 'BATCH' } }],
      [JOB, 'dataJobInputOutput', { inputDatasets: [urn('mart')], outputDatasets: [urn('report')] }],
      [
        CHART,
        'chartInfo',
        {
          title: 'Revenue',
          description: '',
          lastModified: { created: STAMP, lastModified: STAMP },
          inputs: [{ string: urn('report') }],
        },
      ],
    );
  });
  afterAll(() => catalog.stop());

  it('walks downstream through datasets, jobs and charts, the nearest first', async () => {
    expect(await walk({ urn: urn('raw'), direction: 'DOWNSTREAM', orFilters: hops('1', '2', '3+') })).toEqual(
      [
        [urn('clean'), 1],
        [urn('mart'), 2],
        [JOB, 3],
        [urn('report'), 4],
        [CHART, 5],
      ],
    );
  });

  it('walks upstream as far as asked, without what was deleted or never came', async () => {
    expect(await walk({ urn: urn('mart'), direction: 'UPSTREAM', orFilters: hops('1') })).toEqual([
      [urn('clean'), 1],
    ]);
    expect(await walk({ urn: urn('mart'), direction: 'UPSTREAM', orFilters: hops('1', '2') })).toEqual([
      [urn('clean'), 1],
      [urn('raw'), 2],
    ]);
    expect(await walk({ urn: urn('mart'), direction: 'UPSTREAM', orFilters: hops('2') })).toEqual([
      [urn('raw'), 2],
    ]);
    expect(await walk({ urn: CHART, direction: 'UPSTREAM', types: ['DATA_JOB'] })).toEqual([[JOB, 2]]);
  });

  it('shows the way, and the degrees as a facet', async () => {
    const { searchAcrossLineage: found } = await data(
      catalog,
      `{ searchAcrossLineage(input: { urn: "${urn('raw')}", direction: DOWNSTREAM, count: 3 }) {
        start count total searchResults { degree degrees paths { path { urn } } } facets { field aggregations { value count } } } }`,
    );
    expect(found).toMatchObject({ start: 0, count: 3, total: 5 });
    expect(found.searchResults[1]).toEqual({
      degree: 2,
      degrees: [2],
      paths: [{ path: [{ urn: urn('raw') }, { urn: urn('clean') }, { urn: urn('mart') }] }],
    });
    expect(found.facets[0]).toEqual({
      field: 'degree',
      aggregations: [
        { value: '1', count: 1 },
        { value: '2', count: 1 },
        { value: '3+', count: 3 },
      ],
    });
  });

  it('walks between columns', async () => {
    const flags = {
      groupingSpec: {
        groupingCriteria: { baseEntityType: 'SCHEMA_FIELD', groupingEntityType: 'SCHEMA_FIELD' },
      },
    };
    const start = { urn: column('mart', 'number'), direction: 'UPSTREAM', orFilters: hops('1', '2') };
    expect(await walk({ ...start, searchFlags: flags })).toEqual([
      [column('clean', 'key'), 1],
      [column('raw', 'id'), 2],
    ]);
    expect(await walk(start)).toEqual([
      [urn('clean'), 1],
      [urn('raw'), 2],
    ]);
    expect(await walk({ urn: column('raw', 'id'), direction: 'DOWNSTREAM', searchFlags: flags })).toEqual([
      [column('clean', 'key'), 1],
      [column('mart', 'number'), 2],
    ]);
  });

  it('answers the neighbours of entities, in lineage and by relationships', async () => {
    const { entity } = await data(
      catalog,
      `{ entity(urn: "${urn('clean')}") {
        lineage(input: { direction: UPSTREAM }) { total relationships { degree entity { urn } } }
        relationships(input: { types: ["DownstreamOf"], direction: INCOMING, count: 1 }) { start count total relationships { type direction entity { urn } } }
        none: relationships(input: { types: ["OwnedBy"], direction: OUTGOING }) { total relationships { type } }
      } }`,
    );
    expect(entity.lineage.relationships.map((r: any) => r.entity.urn).sort()).toEqual(
      [urn('raw'), urn('gone'), urn('never-ingested')].sort(),
    );
    expect(entity.relationships).toEqual({
      start: 0,
      count: 1,
      total: 1,
      relationships: [{ type: 'DownstreamOf', direction: 'INCOMING', entity: { urn: urn('mart') } }],
    });
    expect(entity.none).toEqual({ total: 0, relationships: [] });
  });

  it.each([
    [
      'a degree that is none',
      { orFilters: hops('7') },
      'FILTER_INVALID',
      '/input/orFilters/0/and/0/values/0',
    ],
    [
      'another comparison of degrees',
      { orFilters: [{ and: [{ field: 'degree', values: ['1'], condition: 'GREATER_THAN' }] }] },
      'FILTER_INVALID',
      '/input/orFilters/0/and/0/condition',
    ],
    ['a URN that is none', { urn: 'nope' }, 'URN_MALFORMED', '/input/urn'],
    ['an entity that the model does not know', { urn: 'urn:li:robot:x' }, 'ENTITY_UNKNOWN', '/input/urn'],
    ['a scroll id that is none', { scrollId: 'nope' }, 'PARAMETER_INVALID', '/input/scrollId'],
  ])('refuses %s', async (_what, input, errorCode, pointer) => {
    const error = await failure(catalog, WALK, {
      input: { urn: urn('raw'), direction: 'UPSTREAM', ...input },
    });
    expect(error.extensions).toMatchObject({ code: 400, errorCode, pointer });
  });

  it('keeps a scroll id to the walk that it was given for', async () => {
    const input = { urn: urn('raw'), direction: 'DOWNSTREAM', count: 1 };
    const first: any = await data(catalog, WALK, { input });
    const same = { ...input, scrollId: first.scrollAcrossLineage.nextScrollId };
    await data(catalog, WALK, { input: { ...same, count: 2 } });
    for (const other of [
      { urn: urn('clean') },
      { direction: 'UPSTREAM' },
      { types: ['DATASET'] },
      { orFilters: hops('1') },
      { endTimeMillis: 5 },
      { lineageFlags: { ignoreAsHops: [{ entityType: 'DATA_JOB' }] } },
    ]) {
      const error = await failure(catalog, WALK, { input: { ...same, ...other } });
      expect(error.extensions).toMatchObject({
        ...{ code: 400, errorCode: 'PARAMETER_INVALID', pointer: '/input/scrollId' },
      });
    }
  });

  it('tells of a neighbour when, by whom and how the edge was made', async () => {
    const [from, to, bare] = ['edge-from', 'edge-to', 'edge-bare'].map(urn) as [string, string, string];
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),stamped)';
    const made = { time: 5, actor: 'urn:li:corpuser:ann' };
    const changed = { time: 6, actor: 'urn:li:corpuser:bob' };
    await catalog.ingest(
      [from, 'datasetProperties', { name: 'from' }],
      [
        to,
        'upstreamLineage',
        {
          upstreams: [
            { auditStamp: { time: 0, actor: 'urn:li:corpuser:unknown' }, type: 'COPY', dataset: bare },
            { auditStamp: changed, created: made, type: 'COPY', dataset: from, properties: { source: 'UI' } },
          ],
        },
      ],
      [
        job,
        'dataJobInputOutput',
        {
          inputDatasets: [from],
          inputDatasetEdges: [{ destinationUrn: from, created: made, lastModified: changed }],
          outputDatasets: [],
        },
      ],
    );
    const query = `query ($urn: String!, $direction: LineageDirection!) {
      entity(urn: $urn) { ... on EntityWithRelationships { lineage(input: { direction: $direction }) { relationships {
        entity { urn } createdOn createdActor { urn } updatedOn updatedActor { urn } isManual
      } } } }
    }`;
    const neighbours = async (of: string, direction: string): Promise<Map<string, object>> => {
      const answer: any = await data(catalog, query, { urn: of, direction });
      return new Map(
        answer.entity.lineage.relationships.map(({ entity, ...rest }: any) => [entity.urn, rest]),
      );
    };
    const stamped = {
      ...{ createdOn: 5, createdActor: { urn: made.actor } },
      ...{ updatedOn: 6, updatedActor: { urn: changed.actor } },
    };
    const up = await neighbours(to, 'UPSTREAM');
    expect(up.get(from)).toEqual({ ...stamped, isManual: true });
    expect(up.get(bare)).toEqual({
      ...{ createdOn: null, createdActor: null, isManual: false },
      ...{ updatedOn: null, updatedActor: { urn: 'urn:li:corpuser:unknown' } },
    });
    const down = await neighbours(from, 'DOWNSTREAM');
    expect(down.get(to)).toEqual({ ...stamped, isManual: true });
    expect(down.get(job)).toEqual({ ...stamped, isManual: false });
  });
});
