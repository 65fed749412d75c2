import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, removeHome } from '../harness/catalog.js';
import { freshDatabase, stackPlace, type StackPlace } from '../harness/stack.js';

const databaseUrl = process.env['STACK_DATABASE_URL'] ?? '';
const REFUSED =
  /^CATALOG_QUEUE_PREFIX: a catalog on another database has its queues under "\S+" on this Redis/;

/** Two databases whose processes have the same place on Redis. */
describe('the queues of a catalog on Redis', () => {
  let place: StackPlace;
  let other: { url: string; drop: () => Promise<void> };
  let home: string;
  let running: TestCatalog[] = [];

  beforeAll(async () => {
    place = await stackPlace({
      databaseUrl,
      redisUrl: process.env['STACK_REDIS_URL'],
      searchUrl: process.env['STACK_SEARCH_URL'],
    });
    other = await freshDatabase(databaseUrl);
    home = await mkdtemp(join(tmpdir(), 'catalog-queue-'));
  });
  afterEach(async () => {
    for (const catalog of running) await catalog.stop({ keepHome: true });
    running = [];
  });
  afterAll(async () => {
    await removeHome(home);
    await other.drop();
    await place.drop();
  });

  const start = async (name: string, environment: Record<string, string> = {}): Promise<TestCatalog> => {
    const started = await TestCatalog.start({ ...place.environment, ...environment }, join(home, name));
    running.push(started);
    return started;
  };

  /** Another catalog, whose queues only would be where those of the first are. */
  const elsewhere = () => ({
    CATALOG_DATABASE_URL: other.url,
    CATALOG_SEARCH_PREFIX: `${place.environment['CATALOG_SEARCH_PREFIX']}other-`,
  });

  it('are not shared with a catalog on another database', async () => {
    const first = await start('first');
    await expect(start('second', elsewhere())).rejects.toThrow(REFUSED);
    expect(await first.get('/health')).toMatchObject({ status: 200, body: { status: 'UP' } });
    // The first of two processes to end takes nothing from the other. What has ended leaves them to whoever comes.
    const beside = await start('beside');
    running = [beside];
    await first.stop({ keepHome: true });
    await expect(start('second', elsewhere())).rejects.toThrow(REFUSED);
    running = [];
    await beside.stop({ keepHome: true });
    await start('second', elsewhere());
  });
});
