import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proposal, removeHome } from '../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { ServiceProcess } from '../harness/service-process.js';
import { databaseServers, freshDatabase } from '../harness/stack.js';

const engine = stackUrl('STACK_SEARCH_URL');
const WAITS = /this start waits up to 20 s until it is certain/;

describe.each(databaseServers())('processes on one database of %s', (_server, serverUrl) => {
  let database: { url: string; drop: () => Promise<void> };
  let folder: string;
  let running: ServiceProcess[] = [];
  const prefixes = [uniqueName('one-'), uniqueName('other-')] as const;

  const start = async (home: string, more: Record<string, string>): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start(join(folder, home), {
      CATALOG_DATABASE_URL: database.url,
      CATALOG_REDIS_URL: '',
      ...more,
    });
    running.push(service);
    return service;
  };
  const embedded = (home: string) => start(home, { CATALOG_SEARCH_URL: '' });
  const onServer = (home: string, prefix: string) =>
    start(home, { CATALOG_SEARCH_URL: engine.href, CATALOG_SEARCH_PREFIX: prefix });
  const writes = async (service: ServiceProcess, name: string) =>
    (
      await service.post('/aspects?action=ingestProposal', {
        proposal: proposal(`urn:li:tag:${name}`, 'tagProperties', { name }),
      })
    ).status;
  const found = async (service: ServiceProcess) => {
    const { body } = await service.post('/entities?action=search', {
      entity: 'tag',
      input: '*',
      start: 0,
      count: 10,
    });
    return body.value.entities as string[];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-one-'));
  });
  beforeEach(async () => {
    database = await freshDatabase(serverUrl);
  });
  afterEach(async () => {
    for (const service of running) await service.stop();
    running = [];
    await database.drop();
  });
  afterAll(async () => {
    await removeHome(folder);
    for (const prefix of prefixes) await dropIndices(engine, prefix);
  });

  it('are refused when each has an index in its data folder, with the setting to change', async () => {
    const first = await embedded('a');
    await expect(embedded('b')).rejects.toThrow(/CATALOG_SEARCH_URL: .*data folder of its own.*the same/);
    await expect(onServer('c', prefixes[0])).rejects.toThrow(/CATALOG_SEARCH_URL/);
    // The first one goes on.
    expect(await writes(first, 'mine')).toBe(200);
    expect(await found(first)).toEqual(['urn:li:tag:mine']);
  });

  it('are refused when they use different indices of a search server, and welcome to the same one', async () => {
    const first = await onServer('d', prefixes[0]);
    await expect(onServer('e', prefixes[1])).rejects.toThrow(`CATALOG_SEARCH_PREFIX=${prefixes[0]}`);
    const second = await onServer('f', prefixes[0]);
    expect(await writes(first, 'shared')).toBe(200);
    expect(await found(second)).toEqual(['urn:li:tag:shared']);
  });

  it('are refused whatever the clocks of their machines say', async () => {
    const behind = encodeURIComponent('const now = Date.now; Date.now = () => now() - 3_600_000;');
    await start('early', { CATALOG_SEARCH_URL: '', NODE_OPTIONS: `--import=data:text/javascript,${behind}` });
    await expect(embedded('late')).rejects.toThrow(/CATALOG_SEARCH_URL/);
  });

  it('follow each other: the same folder at once after a crash, another one as soon as the crash is certain', async () => {
    const first = await embedded('g');
    expect(await writes(first, 'kept')).toBe(200);
    await first.kill();
    const again = await embedded('g');
    expect(again.log).not.toMatch(WAITS);
    expect(await found(again)).toEqual(['urn:li:tag:kept']);
    await again.kill();
    const next = await embedded('h');
    expect(next.log).toMatch(WAITS);
    expect(await found(next)).toEqual(['urn:li:tag:kept']);
    await next.stop();
    // What was stopped in order is gone at once.
    expect((await embedded('i')).log).not.toMatch(WAITS);
  });
});
