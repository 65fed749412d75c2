import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from 'node:http';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded } from '../aspect-api/support.js';
import { pagesOf } from './support.js';

const COUNT = 120;
const URNS = Array.from({ length: COUNT }, (_, i) => dataset(`long.table_${String(i).padStart(3, '0')}`));

const MISSING = dataset('long.missing');

interface Listed {
  urn: string;
}

/** Answers of a megabyte and more are made while they are sent. */
describe('long lists of entities', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ...URNS.map((urn, i): [string, string, unknown] => [
        urn,
        'datasetProperties',
        { name: `Table ${i}`, description: `dünn ${i} `.repeat(3_500) },
      ]),
    );
  });
  afterAll(() => catalog.stop());

  const ASKED: Array<[string, (urns: readonly string[]) => [path: string, body?: object], string]> = [
    [
      'a list',
      (urns) => [`/openapi/v3/entity/dataset?aspects=datasetProperties&count=${urns.length}`],
      'entities',
    ],
    ['a list of version 2', (urns) => [`/openapi/v2/entity/dataset?count=${urns.length}`], 'results'],
    [
      'a list over several kinds',
      (urns) => [
        `/openapi/v3/entity/scroll?count=${urns.length}`,
        { entities: ['dataset'], aspects: ['datasetProperties'] },
      ],
      'entities',
    ],
    [
      'a batch',
      (urns) => ['/openapi/v3/entity/dataset/batchGet', urns.map((urn) => ({ urn, datasetProperties: {} }))],
      '',
    ],
    [
      'a batch over several kinds',
      (urns) => ['/openapi/v3/entity/generic/batchGet', { dataset: urns.map((urn) => ({ urn })), tag: [] }],
      'dataset',
    ],
    ['a batch of version 2', (urns) => ['/openapi/v2/entity/batch/dataset', { urns }], 'entities'],
  ];

  it.each(ASKED)('%s is like a short one', async (_, of, member) => {
    const listed = async (urns: readonly string[]) => {
      const [path, body] = of(urns);
      const answer = body === undefined ? await catalog.get(path) : await catalog.post(path, body);
      expect(answer.status).toBe(200);
      const entities = (member === '' ? answer.body : answer.body[member]) as Listed[];
      return { answer, entities };
    };
    const long = await listed(URNS);
    const short = await listed(URNS.slice(0, 5));
    expect(long.answer.headers.get('content-length')).toBeNull();
    expect(short.answer.headers.get('content-length')).not.toBeNull();
    expect(long.answer.headers.get('content-type')).toBe(short.answer.headers.get('content-type'));
    expect(long.entities.map(({ urn }) => urn)).toEqual(URNS);
    expect(long.entities.slice(0, 5)).toEqual(short.entities);
  });

  it.each([
    ['entitiesV2', (ids: string) => `/entitiesV2?ids=List(${ids})`],
    ['snapshots', (ids: string) => `/entities?ids=List(${ids})`],
    [
      'versioned entities',
      (ids: string) => `/entitiesVersionedV2?entityType=dataset&ids=List(${ids})`,
      (urn: string) => `(urn:${encodeURIComponent(urn)},versionStamp:)`,
    ],
  ])('of the aspect API have all results: %s', async (_, path, idOf = encodeURIComponent) => {
    const read = async (urns: readonly string[]) => {
      const answer = await catalog.get(path([...urns, MISSING].map(idOf).join()));
      expect(answer.status).toBe(200);
      return answer;
    };
    const [long, short] = [await read(URNS.slice(0, 60)), await read(URNS.slice(0, 5))];
    expect(long.headers.get('content-length')).toBeNull();
    expect(long.headers.get('content-type')).toBe(short.headers.get('content-type'));
    const { results, errors, statuses } = long.body as Record<string, Record<string, object>>;
    expect(Object.keys(results!)).toHaveLength(60);
    expect(results).toMatchObject(short.body.results);
    expect({ errors, statuses }).toEqual({ errors: short.body.errors, statuses: {} });
    expect(Object.keys(errors!)).toHaveLength(1);
  });

  it('refuse a wrong name wherever it stands, before anything is sent', async () => {
    const ids = [...URNS.slice(0, 60), 'urn:li:nonesuch:x'].map(encodeURIComponent).join();
    expect((await catalog.get(`/entitiesV2?ids=List(${ids})`)).status).toBe(400);
  });

  it('of the oldest version have all results', async () => {
    const read = async (urns: readonly string[]) =>
      catalog.get(`/openapi/entities/v1/latest?urns=${urns.map(encodeURIComponent).join('&urns=')}`);
    const [long, short] = [await read(URNS.slice(0, 60)), await read(URNS.slice(0, 5))];
    expect(long.status).toBe(200);
    expect(long.headers.get('content-length')).toBeNull();
    expect(Object.keys(long.body.responses as object)).toHaveLength(60);
    expect(long.body.responses).toMatchObject(short.body.responses);
  });

  it('of events are their short pages one after the other', async () => {
    const metadata = { fieldPath: 'a', min: 'dünn "1" '.repeat(2_000) };
    await catalog.ingest(
      ...URNS.map((urn, i): [string, string, unknown] => [
        urn,
        'datasetProfile',
        { timestampMillis: 1_000 + i, fieldProfiles: [metadata], messageId: `m${i}` },
      ]),
    );
    const path = '/openapi/v2/timeseries/dataset/datasetProfile?systemMetadata=true';
    const long = await catalog.get(`${path}&count=${COUNT}`);
    expect(long.status).toBe(200);
    expect(long.headers.get('content-length')).toBeNull();
    expect(long.body.scrollId).toBeNull();
    const pages = await pagesOf(catalog, `${path}&count=50`);
    expect(pages.map(({ results }) => (results as object[]).length)).toEqual([50, 50, 20]);
    expect(long.body.results).toEqual(pages.flatMap(({ results }) => results as object[]));
  });

  it('of events of one entity are complete', async () => {
    const [urn] = URNS;
    const value = (i: number) => ({
      timestampMillis: 2_000 + i,
      fieldProfiles: [{ fieldPath: 'a', min: 'dünn "1" '.repeat(2_000) }],
    });
    await catalog.ingest(
      ...URNS.map((_, i): [string, string, unknown] => [urn!, 'datasetProfile', value(i)]),
    );
    const asked = { urn, entity: 'dataset', aspect: 'datasetProfile', startTimeMillis: 2_000 };
    const { status, headers, body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', asked);
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBeNull();
    const values = body.value.values as Array<{ aspect: { value: string; contentType: string } }>;
    expect(values.map(({ aspect }) => aspect)).toEqual(
      URNS.map((_, i) => ({
        value: JSON.stringify(value(COUNT - 1 - i)),
        contentType: 'application/json',
      })),
    );
  });

  it('of relationships have each of them once', async () => {
    const owner = 'urn:li:corpuser:of-many';
    const tags = Array.from({ length: 1_100 }, (_, i) => `urn:li:tag:owned-${i}`);
    await catalog.ingest(
      ...tags.map((urn): [string, string, unknown] => [
        urn,
        'ownership',
        { owners: [{ owner, type: 'DATAOWNER' }] },
      ]),
    );
    const path = `/openapi/v3/relationship/corpuser/${encoded(owner)}?direction=INCOMING`;
    for (const count of [1_050, 2_000]) {
      const pages = await pagesOf(catalog, `${path}&count=${count}`);
      const edges = pages.map(({ results }) => results as Array<{ source: Listed }>);
      expect(edges[0]).toHaveLength(Math.min(count, tags.length));
      expect(
        edges
          .flat()
          .map(({ source }) => source.urn)
          .toSorted(),
      ).toEqual(tags.toSorted());
    }
  });

  it('do not hold the service up where their readers leave', async () => {
    const url = `${catalog.url}/openapi/v3/entity/dataset?aspects=datasetProperties&count=${COUNT}`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    for (let i = 0; i < 20; i += 1)
      await new Promise<void>((resolve, reject) => {
        const asked = get(url, { headers }, (answer) => {
          answer.once('data', () => asked.destroy());
          answer.once('close', resolve);
          answer.on('error', () => undefined);
        });
        asked.once('error', reject);
      });
    expect((await catalog.get('/openapi/v3/entity/dataset?count=1')).status).toBe(200);
  });
});
