import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ElasticClient, ElasticsearchSearchIndex } from '../../src/adapters/search/elasticsearch/index.js';
import {
  BuildTakenOver,
  SearchSchema,
  type SearchDocument,
  type SearchIndex,
} from '../../src/catalog/search/index.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { until } from '../harness/until.js';
import { datasetUrn, documentOf, model, requestOf, schema } from './search-fixture.js';

const url = stackUrl('STACK_SEARCH_URL');
/** Several times what the engine and this process may stand still while other tests run beside them. */
const LEASE_MS = 5_000;

/** Processes that start at the same moment on an engine that has nothing. */
describe('the first filling', () => {
  const ROUNDS = 5;

  it('is done by one of many processes, and none of them fails', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const prefix = uniqueName('first-');
      const indices = Array.from(
        { length: 4 },
        () => new ElasticsearchSearchIndex(new ElasticClient(url), prefix, LEASE_MS),
      );
      const outcomes = await Promise.all(
        indices.map(async (index) => {
          const rebuild = await index.ensureSchema(schema);
          const claimed = (await rebuild?.claim()) ?? 'done';
          if (typeof claimed === 'string') return claimed;
          await rebuild?.save(1);
          await rebuild?.finished();
          return 'built';
        }),
      );
      expect(outcomes.filter((outcome) => outcome === 'built')).toHaveLength(1);
      for (const index of indices) {
        // What a process knows of the others may be a second old.
        await until(async () =>
          index.ready().then(
            () => true,
            () => false,
          ),
        );
        expect(await index.ensureSchema(schema)).toBeUndefined();
        await index.close();
      }
      await dropIndices(url, prefix);
    }
  });
});

/** Building beside the index in use, with several processes and with processes that die. */
describe('a build beside the index in use', () => {
  let prefix: string;
  const opened: SearchIndex[] = [];
  const open = async (of = schema): Promise<ElasticsearchSearchIndex> => {
    const index = new ElasticsearchSearchIndex(new ElasticClient(url), prefix, LEASE_MS);
    opened.push(index);
    await index.ensureSchema(of);
    return index;
  };
  const named = (name: string, sequence = 1): SearchDocument =>
    documentOf(datasetUrn('hive', name), { datasetProperties: { name } }, sequence);
  const total = async (index: SearchIndex) => (await index.search(requestOf({ count: 0 }))).total;
  const generations = async (): Promise<string[]> => {
    const client = new ElasticClient(url);
    const found = await client.request<object>({ method: 'GET', path: `/${prefix}.*index_v2_*/_alias` });
    await client.close();
    return Object.keys(found).map((name) => name.slice(prefix.length + 1));
  };
  let first: ElasticsearchSearchIndex;

  beforeEach(async () => {
    prefix = uniqueName('build-');
    first = await open();
    const rebuild = (await first.ensureSchema(schema))!;
    await rebuild.claim();
    await first.upsert([named('a'), named('b'), named('c')]);
    await rebuild.finished();
  });
  afterEach(async () => {
    for (const index of opened.splice(0)) await index.close();
    await dropIndices(url, prefix);
  });

  it('gets what other processes write, and takes over with all of it', async () => {
    const other = await open();
    await other.upsert([named('b', 2)]);
    const rebuild = await first.startRebuild();
    expect(rebuild.beside).toBe(true);
    expect(await rebuild.claim()).toEqual({ position: 0, full: false });
    await other.upsert([named('d'), named('c', 5)]);
    await other.remove([{ urn: named('a').urn, sequence: 3 }]);
    // What the builder read before that comes too late.
    expect(await rebuild.upsert([named('a'), named('b', 2), named('c')])).toEqual({
      written: 1,
      outdated: 2,
    });
    expect(await total(other)).toBe(3);
    expect((await first.digest(64)).differing(await rebuild.digest(64))).toEqual([]);
    await rebuild.finished();
    expect(await total(first)).toBe(3);
    expect(await generations()).toEqual(['datasetindex_v2_2']);
    await other.upsert([named('e')]);
    expect(await total(first)).toBe(4);
    expect(await first.ensureSchema(schema)).toBeUndefined();
  });

  it('is done by one process at a time, and gone on with by another when that one has died', async () => {
    const rebuild = await first.startRebuild();
    await rebuild.claim();
    await rebuild.upsert([named('a'), named('b')]);
    await rebuild.save(2);
    const other = await open();
    const same = await other.startRebuild();
    expect(await same.claim()).toBe('busy');
    // The first one gives no more sign of life.
    let claimed: Awaited<ReturnType<typeof same.claim>> = 'busy';
    await until(async () => (claimed = await same.claim()) !== 'busy');
    expect(claimed).toEqual({ position: 2, full: false });
    await expect(rebuild.save(3)).rejects.toThrow('taken over');
    await same.upsert([named('c')]);
    await same.finished();
    expect(await total(other)).toBe(3);
    expect(await rebuild.claim()).toBe('done');
  });

  it('stays with whoever gives signs of life, and is found by a process that runs when they end', async () => {
    const other = await open();
    expect(await other.unfinishedRebuild()).toBeUndefined();
    const rebuild = await first.startRebuild();
    await rebuild.claim();
    await rebuild.save(2);
    const found = (await other.unfinishedRebuild())!;
    // Nothing is saved for longer than a builder may be silent.
    const longAfter = Date.now() + 2 * LEASE_MS;
    await until(async () => {
      await rebuild.keep();
      expect(await found.claim()).toBe('busy');
      return Date.now() > longAfter;
    });
    let claimed: Awaited<ReturnType<typeof found.claim>> = 'busy';
    await until(async () => (claimed = await found.claim()) !== 'busy');
    expect(claimed).toEqual({ position: 2, full: false });
    await expect(rebuild.keep()).rejects.toThrow(BuildTakenOver);
    await found.upsert([named('a')]);
    await found.finished();
    await expect(rebuild.save(3)).rejects.toThrow(BuildTakenOver);
    expect(await rebuild.claim()).toBe('done');
    expect(await other.unfinishedRebuild()).toBeUndefined();
    expect(await total(first)).toBe(1);
  });

  it('of another model is left to processes of that model', async () => {
    const smaller = new SearchSchema([model.findEntity('dataset')!]);
    const next = new ElasticsearchSearchIndex(new ElasticClient(url), prefix, LEASE_MS);
    opened.push(next);
    expect(await next.ensureSchema(smaller)).toBeDefined();
    expect(await first.unfinishedRebuild()).toBeUndefined();
    expect(await next.unfinishedRebuild()).toBeDefined();
  });

  it('is made for another model, while the one in use is searched', async () => {
    const smaller = new SearchSchema([model.findEntity('dataset')!]);
    const next = new ElasticsearchSearchIndex(new ElasticClient(url), prefix, LEASE_MS);
    opened.push(next);
    const rebuild = (await next.ensureSchema(smaller))!;
    expect(rebuild.beside).toBe(true);
    expect(await total(next)).toBe(3);
    await rebuild.claim();
    await rebuild.upsert([named('a')]);
    expect(await total(next)).toBe(3);
    await rebuild.finished();
    expect(await total(next)).toBe(1);
    expect(await next.ensureSchema(smaller)).toBeUndefined();
  });

  it('of which only the change-over was left is finished by the next process', async () => {
    const rebuild = await first.startRebuild();
    await rebuild.claim();
    await rebuild.upsert([named('a')]);
    // The connection is gone in the middle of it.
    const changing = rebuild.finished();
    await first.close();
    await changing.catch(() => undefined);
    const other = await open();
    const left = await other.ensureSchema(schema);
    if (left) {
      let claimed = await left.claim();
      await until(async () => (claimed = await left.claim()) !== 'busy');
      if (typeof claimed !== 'string' && !claimed.full) await left.upsert([named('a')]);
      if (claimed !== 'done') await left.finished();
    }
    expect(await total(other)).toBe(1);
    await other.upsert([named('z')]);
    expect(await total(other)).toBe(2);
    expect(await other.ensureSchema(schema)).toBeUndefined();
  });
});
