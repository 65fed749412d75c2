import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ElasticClient, IndexOwner } from '../../src/adapters/search/elasticsearch/index.js';
import { TestCatalog, removeHome } from '../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { freshDatabase, stackPlace, type StackPlace } from '../harness/stack.js';
import { until } from '../harness/until.js';

const databaseUrl = process.env['STACK_DATABASE_URL'] ?? '';
/** Several times what the engine and this process may stand still while other tests run beside them. */
const LEASE_MS = 5_000;
const REFUSED =
  /CATALOG_SEARCH_PREFIX: a catalog on another database has its index under "\S+" on this search/;

/** Two databases whose processes have the same place on a search server. */
describe('the index of a catalog on a search server', () => {
  let place: StackPlace;
  let other: { url: string; drop: () => Promise<void> };
  let home: string;
  let running: Array<{ stop(): Promise<unknown> }> = [];

  beforeAll(async () => {
    place = await stackPlace({
      databaseUrl,
      redisUrl: undefined,
      searchUrl: process.env['STACK_SEARCH_URL'],
    });
    other = await freshDatabase(databaseUrl);
    home = await mkdtemp(join(tmpdir(), 'catalog-prefix-'));
  });
  afterEach(async () => {
    for (const each of running) await each.stop();
    running = [];
  });
  afterAll(async () => {
    await removeHome(home);
    await other.drop();
    await place.drop();
  });

  const settings = (url?: string) => ({
    ...place.environment,
    CATALOG_REDIS_URL: '',
    ...(url !== undefined && { CATALOG_DATABASE_URL: url }),
  });
  const start = async (name: string, url?: string): Promise<TestCatalog> => {
    const catalog = await TestCatalog.start(settings(url), join(home, name));
    running.push({ stop: () => catalog.stop({ keepHome: true }) });
    return catalog;
  };

  it('is not shared with a catalog on another database', async () => {
    const first = await start('first');
    await expect(start('second', other.url)).rejects.toThrow(REFUSED);
    expect(await first.get('/health')).toMatchObject({ status: 200, body: { status: 'UP' } });
    // A second process of the same catalog is welcome, and the first to end takes nothing from the other.
    await start('third');
    await first.stop({ keepHome: true });
    running.shift();
    await expect(start('second', other.url)).rejects.toThrow(REFUSED);
  });

  it('is left to another catalog when it is certain that its processes died, of which a stopped one learns', async () => {
    const prefix = uniqueName('owner-');
    const url = stackUrl('STACK_SEARCH_URL');
    const refused = () => new Error('refused');
    const take = (client: ElasticClient, catalog: string) =>
      IndexOwner.take(client, prefix, catalog, refused, LEASE_MS);
    const client = new Freezing(url);
    const first = await take(client, 'first');
    await expect(take(new ElasticClient(url), 'second')).rejects.toThrow('refused');
    first.check();
    client.frozen = true;
    const second = await take(new ElasticClient(url), 'second');
    client.frozen = false;
    await until(async () => {
      try {
        first.check();
        return false;
      } catch {
        return true;
      }
    });
    second.check();
    await first.release();
    await expect(take(new ElasticClient(url), 'first')).rejects.toThrow('refused');
    await second.release();
    await (await take(new ElasticClient(url), 'first')).release();
    await dropIndices(url, prefix);
  });

  it('is held by one process without reading what it wrote, and without another segment for each time', async () => {
    const prefix = uniqueName('alone-');
    const url = stackUrl('STACK_SEARCH_URL');
    const take = (client: ElasticClient) =>
      IndexOwner.take(client, prefix, 'first', () => new Error('refused'), 400);
    const watched = new Watched(url);
    const owner = await take(watched);
    await until(async () => watched.count('PUT') > 20);
    expect(watched.count('GET')).toBe(1);
    const client = new ElasticClient(url);
    const { _all } = await client.request<{ _all: { total: { refresh: { total: number } } } }>({
      method: 'GET',
      path: `/${prefix}.state/_stats/refresh`,
    });
    // Two when an index is made.
    expect(_all.total.refresh.total).toBeLessThan(5);
    // What another process says is read, and kept.
    const another = await take(new ElasticClient(url));
    const read = watched.count('GET');
    await until(async () => watched.count('GET') > read + 1);
    await until(async () => {
      const path = `/${prefix}.state/_doc/owner`;
      const { _source } = await client.request<{ _source: { owner: string } }>({ method: 'GET', path });
      return Object.keys(JSON.parse(_source.owner).processes).length === 2;
    });
    await another.release();
    await owner.release();
    await client.close();
    await dropIndices(url, prefix);
  });

  it('is held by who goes on saying so, whatever the clock of that machine says', async () => {
    const prefix = uniqueName('clock-');
    const url = stackUrl('STACK_SEARCH_URL');
    const client = new ElasticClient(url);
    const take = (catalog: string) =>
      IndexOwner.take(new ElasticClient(url), prefix, catalog, () => new Error('refused'), LEASE_MS);
    const first = await take('first');
    await first.release();
    const path = `/${prefix}.state/_doc/owner`;
    const says = (until: number) =>
      client.request({
        ...{ method: 'PUT' as const, path },
        body: { owner: JSON.stringify({ catalog: 'first', processes: { p: until } }) },
      });
    // Long over on this machine's clock.
    let said = 1;
    await says(said);
    const saying = setInterval(() => void says((said += 1)), 100);
    await expect(take('second')).rejects.toThrow('refused');
    clearInterval(saying);
    // Far in its future, and said once.
    await says(Date.now() + 3_600_000);
    await (await take('second')).release();
    await client.close();
    await dropIndices(url, prefix);
  });
});

/** Counts what is asked for by methods. */
class Watched extends ElasticClient {
  private readonly methods: string[] = [];

  override async request<T>(...all: Parameters<ElasticClient['request']>): Promise<T> {
    this.methods.push(all[0].method);
    return super.request<T>(...all);
  }

  count(method: string): number {
    return this.methods.filter((one) => one === method).length;
  }
}

/** As in a process that does not run for a while. */
class Freezing extends ElasticClient {
  frozen = false;

  override async request<T>(request: Parameters<ElasticClient['request']>[0]): Promise<T> {
    if (this.frozen) throw new Error('frozen');
    return super.request<T>(request);
  }
}
