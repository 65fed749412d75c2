import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ElasticClient, ElasticsearchSearchIndex } from '../../src/adapters/search/elasticsearch/index.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { datasetUrn, documentOf, requestOf, schema } from './search-fixture.js';
import { searchIndexConformance } from './search-index.conformance.js';

const url = stackUrl('STACK_SEARCH_URL');
const prefixes: string[] = [];

searchIndexConformance('Elasticsearch', async () => {
  const prefix = uniqueName('test-');
  prefixes.push(prefix);
  return new ElasticsearchSearchIndex(new ElasticClient(url), prefix);
});

afterAll(async () => {
  for (const prefix of prefixes.splice(0)) await dropIndices(url, prefix);
});

describe('what is asked of the server', () => {
  const asked: Array<{ body: { size?: number; search_after?: unknown; docvalue_fields?: unknown } }> = [];
  class Watched extends ElasticClient {
    override search<T>(...[request, budget]: Parameters<ElasticClient['search']>): Promise<T> {
      asked.push(request);
      return super.search<T & { timed_out?: boolean }>(request, budget);
    }
  }
  const named = (name: string) =>
    documentOf(datasetUrn('hive', `lake.${name}`), {
      datasetProperties: { name, description: 'Orders, and what became of them' },
    });
  let index: ElasticsearchSearchIndex;

  beforeAll(async () => {
    const prefix = uniqueName('asked-');
    prefixes.push(prefix);
    index = new ElasticsearchSearchIndex(new Watched(url), prefix);
    await (await index.ensureSchema(schema))?.finished();
    const names = Array.from({ length: 60 }, (_, i) => `order_${'x'.repeat(60 - i)}`);
    await index.upsert([...names, 'unrelated'].map(named));
  });
  beforeEach(() => void asked.splice(0));
  afterAll(() => index.close());

  it('completes from the closest names, in one request, without those that are only said to be about it', async () => {
    const complete = async (text: string, fields: string[]) =>
      (await index.autocomplete({ ...requestOf({}), text, fields, limit: 3 })).map((s) => s.text);
    expect(await complete('ord', ['name', 'id', 'platform'])).toEqual(['order_x', 'order_xx', 'order_xxx']);
    expect(await complete('what became', ['name', 'id', 'platform'])).toEqual([]);
    expect(asked).toHaveLength(2);
    // All have that platform: a name that is shared by more than were looked at is offered once.
    expect(await complete('hiv', ['name', 'id', 'platform'])).toEqual(['hive']);
    expect(asked).toHaveLength(4);
    // Of other fields nothing is kept to complete from.
    expect(await complete('what became', ['description'])).toEqual(['Orders, and what became of them']);
  });

  it('counts facets of a walk apart from its hits, with the same words for each page', async () => {
    let after: string | undefined;
    const counts = new Set<string>();
    do {
      asked.splice(0);
      const page = await index.scroll({
        ...requestOf({ facets: ['platform'] }),
        count: 25,
        ...(after !== undefined && { after }),
      });
      expect(page.facets[0]!.values).toEqual([{ value: 'urn:li:dataPlatform:hive', count: 61 }]);
      expect(page.total).toBe(61);
      const [, ...others] = asked.map(({ body }) => body).sort((a, b) => b.size! - a.size!);
      expect(others).toHaveLength(1);
      counts.add(JSON.stringify(others[0]));
      after = page.next;
    } while (after !== undefined);
    expect(counts.size).toBe(1);
  });

  it('has the first page and its facets in one request, further pages and ranked ones in two', async () => {
    const find = async (input: string, start: number) => {
      asked.splice(0);
      const page = await index.search({ ...requestOf({ facets: ['platform'], input }), start, count: 25 });
      expect([page.total, page.hits.length, page.facets[0]!.values.length]).toEqual([61, 25, 1]);
      return asked.length;
    };
    expect([await find('*', 0), await find('*', 25), await find('became', 0)]).toEqual([1, 2, 2]);
  });

  it('asks for nothing that it knows or that comes with the order', async () => {
    const columns = () => asked.splice(0).map(({ body }) => body.docvalue_fields);
    const everything = { ...requestOf({}), start: 0, count: 2 };
    const { hits } = await index.search(everything);
    expect(columns()).toEqual([[]]);
    const both = await index.search({ ...everything, entities: ['dataset', 'chart'] });
    expect(columns()).toEqual([['entity']]);
    expect(both.hits).toEqual(hits);
    expect(hits[0]).toMatchObject({ entity: 'dataset', urn: datasetUrn('hive', 'lake.order_x') });
  });
});

describe('documents that the server refuses', () => {
  it.each(['now', 'later'] as const)(
    'are named, and those beside them are found at once: visible %s',
    async (visible) => {
      const client = new ElasticClient(url);
      const prefix = uniqueName('refuse-');
      prefixes.push(prefix);
      const index = new ElasticsearchSearchIndex(new ElasticClient(url), prefix);
      await (await index.ensureSchema(schema))?.finished();
      const [bad, good] = [datasetUrn('hive', 'bad'), 'urn:li:tag:good'];
      await index.upsert([documentOf(bad), documentOf('urn:li:tag:before')]);
      // Of a name for two indices the engine does not know which one to write to.
      await client.request({
        method: 'PUT',
        path: `/${prefix}.spare`,
        body: { aliases: { [`${prefix}.datasetindex_v2`]: {} } },
      });
      const written = index.upsert([documentOf(bad), documentOf(good)], visible);
      await expect(written).rejects.toThrow(`refuses documents: ${bad} (`);
      const found = await index.search(requestOf({ entities: ['tag'] }));
      expect(found.hits.map(({ urn }) => urn).sort()).toEqual(['urn:li:tag:before', good]);
      await index.close();
      await client.close();
    },
  );
});

describe('forgetting on a server that does not let go of documents', () => {
  const urns = ['a', 'b'].map((name) => datasetUrn('hive', name));
  const client = new ElasticClient(url);
  let prefix: string;
  let index: ElasticsearchSearchIndex;
  const alias = () => `${prefix}.datasetindex_v2`;
  const total = async () => (await index.search(requestOf({ count: 0 }))).total;

  beforeEach(async () => {
    prefix = uniqueName('forget-');
    prefixes.push(prefix);
    index = new ElasticsearchSearchIndex(new ElasticClient(url), prefix);
    await (await index.ensureSchema(schema))?.finished();
    await index.upsert([...urns, datasetUrn('hive', 'c')].map((urn) => documentOf(urn)));
  });
  afterEach(() => index.close());
  afterAll(() => client.close());

  it('tries again what it may do a moment later', async () => {
    const blocked = (write: boolean) =>
      client.request({ method: 'PUT', path: `/${alias()}/_settings`, body: { 'index.blocks.write': write } });
    await blocked(true);
    let done = false;
    const forgotten = index.forget(urns).then(() => (done = true));
    // It has been refused a few times by then.
    await sleep(500);
    expect([done, await total()]).toEqual([false, 3]);
    await blocked(false);
    await forgotten;
    expect(await total()).toBe(1);
  });

  it('says which ones it refuses, and drops the others', async () => {
    const spare = `${prefix}.spare`;
    const tag = 'urn:li:tag:t';
    await index.upsert([documentOf(tag)]);
    // Of a name for two indices the engine does not know which one to write to.
    await client.request({ method: 'PUT', path: `/${spare}`, body: { aliases: { [alias()]: {} } } });
    await expect(index.forget([...urns, tag])).rejects.toThrow(
      /keeps documents: urn:li:dataset:.*; urn:li:dataset:/,
    );
    await client.request({ method: 'DELETE', path: `/${spare}` });
    expect(await total()).toBe(3);
    expect((await index.search(requestOf({ entities: ['tag'] }))).total).toBe(0);
    await index.forget(urns);
    expect(await total()).toBe(1);
  });

  it('makes no index where there is none', async () => {
    await index.forget(['urn:li:tag:never']);
    const made = await client.request<object>({ method: 'GET', path: `/${prefix}.*/_alias` });
    expect(Object.keys(made).sort()).toEqual([`${prefix}.datasetindex_v2_1`, `${prefix}.state`]);
  });
});
