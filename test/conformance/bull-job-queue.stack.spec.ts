import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { SqliteDatabase } from '../../src/adapters/database/index.js';
import { LoggedError } from '../../src/catalog/errors/index.js';
import { BullJobQueue } from '../../src/adapters/queue/bull/index.js';
import { CuttingProxy, type Manner } from '../harness/cutting-proxy.js';
import { until } from '../harness/until.js';
import { jobQueueConformance } from './job-queue.conformance.js';

const redisUrl = process.env['STACK_REDIS_URL'];
if (redisUrl === undefined) throw new Error('STACK_REDIS_URL is not set: the address of a Redis for tests');

/** Several times what Redis and this process may stand still while other tests run beside them. */
const LEASE_MS = 1500;

/** What the queue counts tries in. Any database does: the end-to-end tests use the one of the profile. */
async function triesDatabase(): Promise<{ database: SqliteDatabase; dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bull-tries-'));
  const database = await SqliteDatabase.open(join(folder, 'catalog.db'));
  const dispose = async (): Promise<void> => {
    await database.close();
    await rm(folder, { recursive: true });
  };
  return { database, dispose };
}

jobQueueConformance(
  'BullJobQueue',
  async ({ leaseMs, firstPauseMs, deferralMs }) => {
    const prefix = `test-${randomUUID()}`;
    const tries = await triesDatabase();
    return {
      open: async ({ mute = false, ...own } = {}) => {
        const queue = new BullJobQueue({
          redisUrl,
          prefix,
          leaseMs,
          stalledMs: leaseMs / 2,
          firstPauseMs,
          renewMs: mute ? 3_600_000 : leaseMs / 3,
          deferralMs,
          ...own,
        });
        queue.countTriesIn(tries.database);
        return queue;
      },
      dispose: async () => {
        await tries.dispose();
        const client = new Redis(redisUrl);
        const keys = await client.keys(`${prefix}:*`);
        if (keys.length > 0) await client.del(keys);
        await client.quit();
      },
    };
  },
  LEASE_MS,
);

describe('a Redis that is wiped', () => {
  it('is told by its generation, which all processes have in common', async () => {
    const prefix = `test-${randomUUID()}`;
    const queues = [1, 2].map(() => new BullJobQueue({ redisUrl, prefix }));
    const redis = new Redis(redisUrl);
    try {
      const generations = async () => [
        ...new Set(await Promise.all(queues.map((queue) => queue.generation()))),
      ];
      const before = await generations();
      expect(before).toEqual([expect.any(String)]);
      expect(await generations()).toEqual(before);
      await redis.del(await redis.keys(`${prefix}:*`));
      const after = await generations();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
    } finally {
      await Promise.all(queues.map((queue) => queue.close()));
      await redis.del(await redis.keys(`${prefix}:*`));
      await redis.quit();
    }
  });
});

describe('a Redis that is wiped while a job is on its way to a process', () => {
  const prefix = `test-${randomUUID()}`;
  const key = (name: string) => `${prefix}:wiped:${name}`;
  let queue: BullJobQueue;
  let tries: Awaited<ReturnType<typeof triesDatabase>>;
  let redis: Redis;
  const done: string[] = [];

  beforeEach(async () => {
    redis = new Redis(redisUrl);
    tries = await triesDatabase();
    queue = new BullJobQueue({ redisUrl, prefix });
    queue.countTriesIn(tries.database);
    done.length = 0;
    queue.process('wiped', { batch: 10 }, async (jobs) => {
      done.push(...jobs.map(({ id, payload }) => `${id} ${JSON.stringify(payload)}`));
    });
    await queue.enqueue('wiped', [{ id: 'before', payload: {} }]);
    await until(async () => done.length === 1);
  });
  afterEach(async () => {
    await queue.close();
    await tries.dispose();
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.del(keys);
    await redis.quit();
  });

  it('does not keep the process from other jobs, nor the job from being done when it is redelivered', async () => {
    // What the process holds then: the id of a job, and nothing of the job.
    await redis.lpush(key('wait'), 'job');
    await queue.enqueue('wiped', [{ id: 'other', payload: {} }]);
    await until(async () => done.includes('other {}'));
    await until(async () => (await redis.exists(key('job'))) === 0);
    await queue.enqueue('wiped', [{ id: 'job', payload: { n: 1 } }]);
    await until(async () => done.includes('job {"n":1}'));
    expect(done).toEqual(['before {}', 'other {}', 'job {"n":1}']);
    expect((await queue.stats())['wiped']).toMatchObject({ failed: 0, delayed: 0 });
  });

  it('does not take for a job that waits what Bull notes of one that failed', async () => {
    await redis.hset(key('job'), { attemptsMade: 1, failedReason: 'Missing key for job job. finished' });
    await queue.enqueue('wiped', [{ id: 'job', payload: { n: 1 } }]);
    await until(async () => done.includes('job {"n":1}'));
  });
});

describe('a Redis that refuses commands', () => {
  const user = `u${randomUUID()}`;
  const prefix = `test-${user}`;
  let admin: Redis;
  const allow = (...rules: string[]) => admin.acl('SETUSER', user, 'on', '>secret', '~*', '&*', ...rules);
  /** Commands of this user that Redis did not carry out. */
  const refused = async (): Promise<string[]> => {
    const entries = (await admin.call('ACL', 'LOG', '100')) as unknown[][];
    return entries
      .filter((entry) => entry[entry.indexOf('username') + 1] === user)
      .map((entry) => String(entry[entry.indexOf('object') + 1]));
  };
  let queue: BullJobQueue;
  let tries: Awaited<ReturnType<typeof triesDatabase>>;

  beforeEach(async () => {
    admin = new Redis(redisUrl);
    await allow('-@all');
    const url = new URL(redisUrl);
    [url.username, url.password] = [user, 'secret'];
    queue = new BullJobQueue({ redisUrl: url.href, prefix });
    tries = await triesDatabase();
    queue.countTriesIn(tries.database);
  });
  afterEach(async () => {
    await queue.close();
    await tries.dispose();
    await admin.acl('DELUSER', user);
    const keys = await admin.keys(`${prefix}:*`);
    if (keys.length > 0) await admin.del(keys);
    await admin.quit();
  });

  it('is told of, and served as soon as it takes them', async () => {
    const done = new Promise<string>((resolve) => {
      queue.process('refused', { batch: 1 }, async ([job]) => resolve(job!.id));
    });
    await expect(queue.stats()).rejects.toThrow('NOPERM');
    await expect(queue.enqueue('refused', [{ id: 'a', payload: {} }])).rejects.toThrow('NOPERM');
    // Whoever serves it was refused as well, not only the two above.
    await until(async () => (await refused()).some((command) => !['smembers', 'sadd'].includes(command)));
    await allow('+@all');
    await queue.enqueue('refused', [{ id: 'b', payload: {} }]);
    expect(await done).toBe('b');
  });

  it('may keep a single command to itself: the name of a connection is not needed', async () => {
    await allow('+@all', '-client');
    const done = new Promise<string>((resolve) => {
      queue.process('unnamed', { batch: 1 }, async ([job]) => resolve(job!.id));
    });
    await queue.enqueue('unnamed', [{ id: 'c', payload: {} }]);
    expect(await done).toBe('c');
  });
});

describe('a way to Redis that breaks', () => {
  const prefix = `test-${randomUUID()}`;
  /** Long enough for several tries to connect. */
  const BROKEN_MS = 2_000;
  let proxy: CuttingProxy;
  let queue: BullJobQueue;
  let tries: Awaited<ReturnType<typeof triesDatabase>>;

  beforeEach(async () => {
    proxy = await CuttingProxy.to(redisUrl);
    queue = new BullJobQueue({
      redisUrl: proxy.through(redisUrl).href,
      prefix,
      // A command that waits in the server takes five seconds.
      watching: { lookMs: 500, answerMs: 7_000 },
    });
    tries = await triesDatabase();
    queue.countTriesIn(tries.database);
  });
  afterEach(async () => {
    await queue.close();
    await tries.dispose();
    await proxy.close();
    const admin = new Redis(redisUrl);
    const keys = await admin.keys(`${prefix}:*`);
    if (keys.length > 0) await admin.del(keys);
    await admin.quit();
  });

  it('is left alone while many commands wait in the server for work', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    // Each of the jobs that it may hold waits for itself, one after the other.
    queue.process('idle', { batch: 50 }, async () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });

  it('is logged as lost once, and once more when it is back', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const lines = () => warned.mock.calls.map(([line]) => String(line));
    queue.process('lost', { batch: 1 }, async () => undefined);
    await queue.enqueue('lost', [{ id: 'before', payload: {} }]);
    for (let outage = 1; outage <= 2; outage++) {
      await proxy.close();
      for (let i = 0; i < 2; i++) {
        await expect(queue.enqueue('lost', [{ id: `${i}`, payload: {} }])).rejects.toThrow(LoggedError);
        await expect(queue.stats()).rejects.toThrow('Redis is unavailable');
      }
      await proxy.open();
      await until(async () => lines().length === 2 * outage);
    }
    const [gone, back] = lines();
    expect(gone).toMatch(/^Redis \(CATALOG_REDIS_URL\) is unavailable: .+/);
    expect(gone).not.toContain('maxRetriesPerRequest');
    expect(back).toBe('Redis is available again');
    warned.mockRestore();
  });

  it.each<Manner>(['close', 'swallow'])(
    'is used again when it works, after a time in which it did nothing but %s',
    async (manner) => {
      const done = new Set<string>();
      queue.process('broken', { batch: 10 }, async (jobs) => void jobs.forEach(({ id }) => done.add(id)));
      await queue.enqueue('broken', [{ id: 'before', payload: {} }]);
      await until(async () => done.has('before'));
      proxy.treat(manner);
      // Whatever is sent meanwhile fails, or hangs until its limit.
      const end = performance.now() + BROKEN_MS;
      const meanwhile: Array<Promise<unknown>> = [];
      for (let i = 0; performance.now() < end; i++) {
        const sent = queue.enqueue('broken', [{ id: `meanwhile${i}`, payload: {} }]).catch(() => undefined);
        meanwhile.push(sent);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // A half-open connection never ends by itself: this proxy keeps those it has, and takes good ones.
      if (manner === 'swallow') proxy.treatNew('pass');
      else proxy.treat('pass');
      await until(async () => {
        await queue.enqueue('broken', [{ id: 'after', payload: {} }]).catch(() => undefined);
        return done.has('after');
      });
      expect(await queue.stats()).toHaveProperty('broken');
      await Promise.all(meanwhile);
    },
  );
});
