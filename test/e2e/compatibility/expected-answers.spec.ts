import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Followed } from '../../../src/catalog/compatibility/index.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { dataset, encoded } from '../aspect-api/support.js';
import { path } from '../openapi/support.js';

const KAFKA = { name: 'kafka' };
const column = (urn: string, name: string) => `urn:li:schemaField:(${urn},${name})`;

/** More of what clients of the reference expect and the specification leaves open: lineage, versions, values, refusals. */
describe.each<Followed>(['specification', 'reference'])('following the %s', (followed) => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_COMPATIBILITY: followed });
  });
  afterAll(() => catalog.stop());

  const graphql = async (query: string): Promise<any> => {
    const { body } = await catalog.post('/api/graphql', { query });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };

  describe('lineage by a job and by a query', () => {
    const [from, to, further] = ['from', 'to', 'further'].map((name) => dataset(`answers.${name}`)) as [
      string,
      string,
      string,
    ];
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,answers,PROD),job)';
    const query = 'urn:li:query:answers';
    const at = { time: 1, actor: 'urn:li:corpuser:ann' };

    beforeAll(async () => {
      const written = await Promise.all([
        catalog.propose(job, 'dataJobInputOutput', {
          inputDatasets: [from],
          outputDatasets: [to],
          fineGrainedLineages: [
            {
              upstreamType: 'FIELD_SET',
              upstreams: [column(from, 'id')],
              downstreamType: 'FIELD_SET',
              downstreams: [column(to, 'id')],
            },
          ],
        }),
        catalog.propose(to, 'status', { removed: false }),
        catalog.propose(query, 'queryProperties', {
          source: 'MANUAL',
          statement: { value: 'select 1', language: 'SQL' },
          created: at,
          lastModified: at,
        }),
        catalog.propose(further, 'upstreamLineage', {
          upstreams: [{ dataset: to, type: 'TRANSFORMED', query }],
          fineGrainedLineages: [
            {
              upstreamType: 'FIELD_SET',
              upstreams: [column(to, 'id')],
              downstreamType: 'FIELD_SET',
              downstreams: [column(further, 'number')],
              query,
            },
          ],
        }),
      ]);
      expect(written.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    });

    /** By URN what a walk from there came to, and the ways there. */
    const reached = async (urn: string): Promise<Record<string, any>> => {
      const asked = `{ scrollAcrossLineage(input: { urn: "${urn}", direction: DOWNSTREAM, count: 50 }) { searchResults {
        degree entity { urn type ... on Dataset { platform { name } } } paths { path { urn } } } } }`;
      const { searchResults } = (await graphql(asked)).scrollAcrossLineage;
      const entries = searchResults.map(({ entity: { urn: at, ...entity }, degree, paths }: any) => [
        at,
        { ...entity, degree, ways: paths.map(({ path: way }: any) => way.map((one: any) => one.urn)) },
      ]);
      return Object.fromEntries(entries);
    };

    it('has the job among what a dataset reaches', async () => {
      await until(async () => Object.keys(await reached(from)).length === 3);
      expect(await reached(from)).toEqual({
        [job]: { type: 'DATA_JOB', degree: 1, ways: [[from, job]] },
        [to]: { type: 'DATASET', platform: KAFKA, degree: 2, ways: [[from, job, to]] },
        [further]: { type: 'DATASET', platform: KAFKA, degree: 3, ways: [[from, job, to, further]] },
      });
    });

    it('of a column has datasets and the job as results, and what moves the data between columns in the ways', async () => {
      await until(async () => Object.keys(await reached(column(from, 'id'))).length === 3);
      const way = [column(from, 'id'), job, column(to, 'id'), query, column(further, 'number')];
      expect(await reached(column(from, 'id'))).toEqual({
        [job]: { type: 'DATA_JOB', degree: 1, ways: [way.slice(0, 2)] },
        [to]: { type: 'DATASET', platform: KAFKA, degree: 1, ways: [way.slice(0, 3)] },
        [further]: { type: 'DATASET', platform: KAFKA, degree: 2, ways: [way] },
      });
    });
  });

  it('keeps the latest version of a set, whichever surface writes', async () => {
    const set = 'urn:li:versionSet:(answers,dataset)';
    const urns = ['v1', 'v2'].map((name) => dataset(`answers.${name}`));
    for (const [i, urn] of urns.entries()) {
      const value = { versionSet: set, version: { versionTag: `v${i}` }, sortId: `A${i}` };
      expect((await catalog.post(path(urn, 'versionProperties'), { value })).status).toBe(200);
    }
    const latest = await Promise.all(
      urns.map(async (urn) => (await catalog.read(urn, 'versionProperties')).isLatest),
    );
    expect(latest).toEqual([false, true]);
    expect(await catalog.read(set, 'versionSetProperties')).toMatchObject({ latest: urns[1] });
  });

  it('asks who it is before it says that a method is wrong', async () => {
    const at = '/aspects?action=getAspect';
    expect((await catalog.get(at, { token: null })).status).toBe(401);
    expect((await catalog.get(at, { token: 'no-token' })).status).toBe(401);
    expect((await catalog.get(at)).status).toBe(405);
  });

  it('names the values that a property allows', async () => {
    const urn = 'urn:li:structuredProperty:answers.months';
    await catalog.propose(urn, 'propertyDefinition', {
      qualifiedName: 'answers.months',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      allowedValues: [{ value: { string: 'foo' } }, { value: { string: 'bar' } }],
    });
    await catalog.propose(dataset('answers.kept'), 'status', { removed: false });
    const other = { properties: [{ propertyUrn: urn, values: [{ string: 'baz' }] }] };
    const refused = await catalog.propose(dataset('answers.kept'), 'structuredProperties', other);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('value: {string=baz} should be one of [{string=foo}, {string=bar}]'),
    ]);
  });

  it('says who asks, packs big answers of GraphQL', async () => {
    expect((await catalog.get('/config?verbose=true')).body.userType).toBe('admin');
    const packed = await new Promise<{ encoding: unknown; data: Buffer }>((resolve, reject) => {
      const asked = request(
        `${catalog.url}/api/graphql`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${ADMIN_TOKEN}`,
            'content-type': 'application/json',
            'accept-encoding': 'gzip',
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () =>
            resolve({ encoding: answer.headers['content-encoding'], data: Buffer.concat(parts) }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(
        JSON.stringify({ query: '{ __schema { types { name description fields { name description } } } }' }),
      );
    });
    expect(packed.encoding).toBe('gzip');
    expect(JSON.parse(gunzipSync(packed.data).toString()).data.__schema.types.length).toBeGreaterThan(100);
  });

  it('counts each element of a list that holds one twice', async () => {
    const urn = dataset('answers.tagged-twice');
    const tag = { tag: 'urn:li:tag:answers' };
    await catalog.propose(urn, 'globalTags', { tags: [] });
    await catalog.propose(urn, 'globalTags', { tags: [tag, { ...tag, context: 'again' }] });
    const { body } = await catalog.get(
      `/openapi/v2/timeline/v1/${encoded(urn)}?categories=TAG&startTime=-1&endTime=0`,
    );
    expect(
      body.map(({ semVer, changeEvents }: any) => [semVer, changeEvents.map((event: any) => event.modifier)]),
    ).toEqual([['0.0.0-computed', [tag.tag, tag.tag]]]);
  });

  it('stays different where the compatibility page says so', async () => {
    const urn = 'urn:li:structuredProperty:answers.days';
    const [type] = await kinds('dataType', 'number');
    const [holder] = await kinds('entityType', 'dataset');
    const definition = {
      ...{ qualifiedName: 'answers.days', valueType: type, cardinality: 'SINGLE', entityTypes: [holder] },
      allowedValues: [{ value: { double: 30.0 } }],
    };
    expect((await catalog.propose(urn, 'propertyDefinition', definition)).status).toBe(200);
    const { text } = await catalog.get(path(urn, 'propertyDefinition'));
    expect(text).toContain('"allowedValues":[{"value":{"double":30}}],"immutable":false');

    const kept = dataset('answers.kept');
    const names = ['a', 'b', 'c'];
    expect((await catalog.search('dataHubRetention', '*')).numEntities).toBe(0);
    await catalog.propose('urn:li:dataHubRetention:(*,*)', 'dataHubRetentionConfig', {
      retention: { version: { maxVersions: 1 } },
    });
    for (const name of names) await catalog.propose(kept, 'datasetProperties', { name });
    expect((await catalog.post('/operations?action=applyRetention', {})).status).toBe(200);
    for (const version of [1, 2, 3])
      expect((await catalog.get(`${path(kept, 'datasetProperties')}?version=${version}`)).status).toBe(200);

    for (const inside of [
      '/openapi/v1/system-info',
      '/openapi/operations/throttle/requests',
      '/openapi/operations/kafka/mcp/consumer/offsets',
      '/actuator/prometheus',
    ])
      expect((await catalog.get(inside)).status).toBe(404);

    for (const action of ['deleteAll', 'setWritable'])
      expect((await catalog.post(`/entities?action=${action}`, {})).body.code).toBe('ACTION_UNKNOWN');
    const event = await catalog.post('/platform?action=producePlatformEvent', {});
    expect(event.body.code).toBe('ROUTE_UNKNOWN');
    const edges = `/relationships?urn=${encoded(dataset('answers.to'))}`;
    expect((await catalog.request('DELETE', edges)).status).toBe(405);
  });

  /** The URNs of a kind that ships, by the end of their names. */
  async function kinds(entity: string, name: string): Promise<string[]> {
    const answer = await catalog.post('/entities?action=search', {
      entity,
      input: '*',
      start: 0,
      count: 100,
    });
    const { urns } = answer.body.value.metadata as { urns: string[] };
    return urns.filter((urn) => urn.endsWith(`.${name}`));
  }
});
