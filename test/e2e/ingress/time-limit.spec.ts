import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { currentRequest } from '../../../src/catalog/schedule/index.js';
import { SearchIndex, type SearchBudget } from '../../../src/catalog/search/index.js';
import { Database } from '../../../src/catalog/store/index.js';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

const LIMIT_MS = 500;
const STEPS = 3;
const step = (i: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.step_${i},PROD)`;
const late = {
  status: 503,
  body: {
    code: 'DEADLINE_EXCEEDED',
    message: 'the request took longer than 500 ms and was ended; what it has written stays written',
  },
};

describe('the time limit of requests', () => {
  let catalog: TestCatalog;
  let database: Database;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_REQUEST_TIMEOUT_MS: String(LIMIT_MS) });
    database = catalog.provider(Database);
    const auditStamp = { time: 1, actor: 'urn:li:corpuser:x' };
    await catalog.ingest(
      ...Array.from({ length: STEPS }, (_, i): [string, string, object] => [
        step(i + 1),
        'upstreamLineage',
        { upstreams: [{ dataset: step(i), type: 'TRANSFORMED', auditStamp }] },
      ]),
    );
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => catalog.stop());

  /** Reads for requests begin so late. @returns what became of them */
  function slowReads(ms: number): unknown[] {
    const ends: unknown[] = [];
    const all = database.all.bind(database) as (...args: any[]) => Promise<any[]>;
    jest.spyOn(database, 'all').mockImplementation(async (...args: any[]) => {
      // The service reads for itself as well.
      if (currentRequest() === undefined) return all(...args);
      const place = ends.push('begun') - 1;
      await pause(ms);
      try {
        const rows = await all(...args);
        ends[place] = 'read';
        return rows;
      } catch (error) {
        ends[place] = error;
        throw error;
      }
    });
    return ends;
  }

  it.each([
    ['the aspect API', 'GET', `/entitiesV2/${encodeURIComponent(step(1))}`, undefined],
    [
      'the aspect API',
      'GET',
      `/relationships?direction=OUTGOING&urn=${encodeURIComponent(step(1))}`,
      undefined,
    ],
    ['the entity API', 'GET', `/openapi/v3/entity/dataset/${encodeURIComponent(step(1))}`, undefined],
    ['the entity API', 'POST', '/openapi/v3/entity/dataset/batchGet', [{ urn: step(1) }]],
  ])('ends reads on %s: %s %s', async (_, method, path, body: unknown) => {
    const ends = slowReads(2 * LIMIT_MS);
    const answer = await catalog.request(method, path, body === undefined ? {} : { body });
    expect(answer).toMatchObject(late);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(ends).toEqual(['begun']);
    await pause(2 * LIMIT_MS);
    // It began before the end, and reads no more; nothing else begins.
    expect(ends).toEqual([expect.objectContaining({ code: 'DEADLINE_EXCEEDED' })]);
  });

  it('ends statements that the server is at', async () => {
    if (database.dialect.name !== 'mysql') return;
    const all = database.all.bind(database);
    const asleep = async () =>
      (
        await all(
          "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(25)%' AND command <> 'Sleep'",
        )
      ).length;
    const ended: unknown[] = [];
    jest.spyOn(database, 'all').mockImplementation(async (...args: Parameters<typeof all>) => {
      if (currentRequest() === undefined) return all(...args);
      try {
        return await all('SELECT SLEEP(25) AS slept');
      } catch (error) {
        ended.push(error);
        throw error;
      }
    });
    const asked = catalog.get(`/openapi/v3/entity/dataset/${encodeURIComponent(step(2))}`);
    await until(async () => (await asleep()) === 1);
    expect(await asked).toMatchObject(late);
    await until(async () => (await asleep()) === 0);
    expect(ended).toEqual([expect.objectContaining({ code: 'DEADLINE_EXCEEDED' })]);
  });

  it('ends searches', async () => {
    const index = catalog.provider(SearchIndex);
    let ended: unknown;
    jest.spyOn(index, 'search').mockImplementation(async (_request, budget?: SearchBudget) => {
      await until(() => Promise.resolve(budget?.signal?.aborted === true));
      try {
        budget!.check();
      } catch (error) {
        ended = error;
      }
      throw ended as Error;
    });
    const answer = await catalog.post('/entities?action=search', { entity: 'dataset', input: '*' });
    expect(answer).toMatchObject(late);
    await until(() => Promise.resolve(ended !== undefined));
    expect(ended).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('does not carry out a write that had to wait for others until then', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const transaction = database.transaction.bind(database);
    jest.spyOn(database, 'transaction').mockImplementation(async (work, options) => {
      await held;
      return transaction(work, options);
    });
    const write = (name: string) =>
      catalog.post('/aspects?action=ingestProposal', {
        proposal: proposal(`urn:li:tag:${name}`, 'tagProperties', { name }),
        async: 'false',
      });
    expect(await write('late')).toMatchObject(late);
    release();
    jest.restoreAllMocks();
    expect((await write('soon')).status).toBe(200);
    expect(await catalog.read('urn:li:tag:late', 'tagProperties')).toBeUndefined();
    // What follows from writes goes on.
    const input = { type: 'TAG', query: 'soon' };
    const query = 'query q($input: SearchInput!) { search(input: $input) { total } }';
    const found = await catalog.post('/api/graphql', { query, variables: { input } });
    expect(found.body.data.search.total).toBe(1);
  });

  it('is not for GraphQL, which has its own, nor for those who wait', async () => {
    slowReads(2 * LIMIT_MS);
    const asked = catalog.post('/api/graphql', { query: `{ dataset(urn: "${step(3)}") { urn } }` });
    expect((await asked).body.data).toEqual({ dataset: { urn: step(3) } });
    jest.restoreAllMocks();
    const poll = '/openapi/v1/events/poll?topic=PlatformEvent_v1&pollTimeoutSeconds=1';
    expect((await catalog.get(poll)).status).toBe(200);
  });
});
