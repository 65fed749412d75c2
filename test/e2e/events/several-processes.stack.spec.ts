import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, proposal, removeHome } from '../../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { freshDatabase } from '../../harness/stack.js';
import { until } from '../../harness/until.js';
import { FeedReader } from './feed-reader.js';

const engine = stackUrl('STACK_SEARCH_URL');
const redis = stackUrl('STACK_REDIS_URL');
const prefix = uniqueName('feed-');
const TAGS = 20;
const urn = (n: number) => `urn:li:tag:feed${n % TAGS}`;

describe('the change feed of two api processes and a worker', () => {
  let database: { url: string; drop: () => Promise<void> };
  let folder: string;
  let environment: Record<string, string>;
  const running = new Map<string, ServiceProcess>();

  const start = async (name: string, role: string): Promise<void> => {
    const home = join(folder, name);
    running.set(name, await ServiceProcess.start(home, { ...environment, CATALOG_ROLE: role }));
  };
  beforeAll(async () => {
    database = await freshDatabase(stackUrl('STACK_DATABASE_URL').href);
    folder = await mkdtemp(join(tmpdir(), 'catalog-feed-'));
    environment = {
      CATALOG_DATABASE_URL: database.url,
      CATALOG_REDIS_URL: redis.href,
      CATALOG_SEARCH_URL: engine.href,
      CATALOG_SEARCH_PREFIX: prefix,
      CATALOG_QUEUE_PREFIX: prefix,
    };
    await start('worker', 'worker');
    await start('one', 'api');
    await start('two', 'api');
  });
  afterAll(async () => {
    for (const service of running.values()) await service.kill();
    await removeHome(folder);
    await database.drop();
    await dropIndices(engine, prefix);
  });

  /** Whichever of the api processes answers. */
  const either = {
    get: async (path: string): Promise<any> => {
      for (let n = 0; ; n++) {
        const service = running.get(n % 2 === 0 ? 'one' : 'two');
        try {
          const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
          const response = await fetch(service!.url + path, { headers });
          return { status: response.status, body: await response.json() };
        } catch (error) {
          if (n > 200) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
  };

  it('has every acknowledged change once, in the order of each entity, whatever is killed', async () => {
    const acknowledged = new Set<string>();
    let next = 0;
    let stopping = false;
    const propose = (n: number) => proposal(urn(n), 'tagProperties', { name: `${n}` });
    /** Single writes and batches, whose commits take longer than those that begin after them. */
    const writer = async (name: string, size: number): Promise<void> => {
      while (!stopping) {
        const numbers = Array.from({ length: size }, () => next++);
        try {
          const proposals = numbers.map(propose);
          const { status } = await running
            .get(name)!
            .post('/aspects?action=ingestProposalBatch', { proposals });
          if (status === 200) for (const n of numbers) acknowledged.add(String(n));
        } catch {
          // Killed: what it did not answer may be stored or not.
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    const reader = new FeedReader(either, 'MetadataChangeLog_Versioned_v1', {
      lookbackWindowDays: 1,
      aspect: 'tagProperties',
      limit: 300,
    });
    const events: any[] = [];
    const writers = [writer('one', 1), writer('two', 1), writer('one', 40), writer('two', 40)];
    const reading = (async () => {
      while (!stopping) events.push(...(await reader.poll({ pollTimeoutSeconds: 1 })));
    })();
    /** Writes on for a while, and until enough was acknowledged however busy the machine is. */
    const writeOn = async (ms: number): Promise<void> => {
      const goal = acknowledged.size + 80;
      await new Promise((resolve) => setTimeout(resolve, ms));
      await until(async () => acknowledged.size >= goal);
    };
    await writeOn(1000);
    for (const [name, role] of [
      ['one', 'api'],
      ['worker', 'worker'],
      ['two', 'api'],
    ] as const) {
      await running.get(name)!.kill();
      await writeOn(300);
      await start(name, role);
      await writeOn(300);
    }
    stopping = true;
    await Promise.all([...writers, reading]);
    events.push(...(await reader.rest()));

    const nameOf = ({ aspect }: any) => JSON.parse(aspect.value).name as string;
    const told = new Set(events.map(nameOf));
    expect(acknowledged.size).toBeGreaterThan(500);
    expect(told.size).toBe(events.length);
    expect([...acknowledged].filter((name) => !told.has(name))).toEqual([]);
    for (let n = 0; n < TAGS; n++) {
      const own = events.filter((event) => event.entityUrn === urn(n));
      const versions = own.map(({ systemMetadata }) => Number(systemMetadata.version));
      expect(versions).toEqual(versions.map((_, i) => i + 1));
      // Each begins with the value that the one before it ended with.
      for (const [i, event] of own.entries())
        if (i > 0) expect(JSON.parse(event.previousAspectValue.value).name).toBe(nameOf(own[i - 1]));
    }
    const again = new FeedReader(either, 'MetadataChangeLog_Versioned_v1', {
      lookbackWindowDays: 1,
      aspect: 'tagProperties',
      limit: 5000,
    });
    expect(await again.rest()).toEqual(events);
  });
});
