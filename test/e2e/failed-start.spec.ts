import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf, removeHome, TestCatalog } from '../harness/catalog.js';
import { CuttingProxy } from '../harness/cutting-proxy.js';
import { until } from '../harness/until.js';

describe('a start that fails after it opened something', () => {
  let folder: string;
  let other: Server;
  /** On the ways to the servers of the profile connections can be counted. */
  let ways: CuttingProxy[];

  /** Settings of a data folder, with all servers by way of proxies. */
  async function counted(home: string): Promise<Record<string, string>> {
    const settings = { ...(await placeOf(home)) };
    for (const name of ['CATALOG_DATABASE_URL', 'CATALOG_REDIS_URL', 'CATALOG_SEARCH_URL']) {
      const url = settings[name];
      if (url === undefined) continue;
      const way = await CuttingProxy.to(url);
      ways.push(way);
      settings[name] = way.through(url).href;
    }
    return settings;
  }
  const taken = () => ways.map(({ taken }) => taken > 0);
  const allClosed = () => until(async () => ways.every(({ connections }) => connections === 0));

  beforeEach(async () => {
    ways = [];
    folder = await mkdtemp(join(tmpdir(), 'catalog-failed-'));
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
  });
  afterEach(async () => {
    other.close();
    for (const way of ways) await way.close();
    await removeHome(folder);
  });

  it('leaves nothing open when its address is taken', async () => {
    const home = join(folder, 'a');
    const { port } = other.address() as AddressInfo;
    const settings = await counted(home);
    await expect(TestCatalog.start({ ...settings, PORT: String(port) }, home)).rejects.toThrow('EADDRINUSE');
    expect(taken()).toEqual(ways.map(() => true));
    await allClosed();
    // Nor does it hold the folder, or the database, any longer.
    const next = await TestCatalog.start({}, home);
    expect((await next.get('/health')).body.status).toBe('UP');
    await next.stop({ keepHome: true });
  });

  it('leaves nothing open when what it would serve belongs to another', async () => {
    const home = join(folder, 'b');
    const first = await TestCatalog.start({}, home);
    try {
      // On the same database, with an index of its own; on the embedded profile, the same folder.
      const settings = { ...(await counted(home)), CATALOG_SEARCH_PREFIX: 'another' };
      await expect(TestCatalog.start(settings, home)).rejects.toThrow(/another process/);
      await allClosed();
      expect((await first.get('/health')).body.status).toBe('UP');
    } finally {
      await first.stop({ keepHome: true });
    }
  });
});
