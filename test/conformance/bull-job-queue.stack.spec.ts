import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { BullJobQueue } from '../../src/adapters/queue/bull/index.js';
import { until } from '../harness/until.js';
import { jobQueueConformance } from './job-queue.conformance.js';

const redisUrl = process.env['STACK_REDIS_URL'];
if (redisUrl === undefined) throw new Error('STACK_REDIS_URL is not set: the address of a Redis for tests');

jobQueueConformance('BullJobQueue', async ({ leaseMs, firstPauseMs }) => {
  const prefix = `test-${randomUUID()}`;
  return {
    open: async ({ mute = false } = {}) =>
      new BullJobQueue({
        redisUrl,
        prefix,
        leaseMs,
        stalledMs: leaseMs / 2,
        firstPauseMs,
        renewMs: mute ? 3_600_000 : leaseMs / 3,
      }),
    dispose: async () => {
      const client = new Redis(redisUrl);
      const keys = await client.keys(`${prefix}:*`);
      if (keys.length > 0) await client.del(keys);
      await client.quit();
    },
  };
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

  beforeEach(async () => {
    admin = new Redis(redisUrl);
    await allow('-@all');
    const url = new URL(redisUrl);
    [url.username, url.password] = [user, 'secret'];
    queue = new BullJobQueue({ redisUrl: url.href, prefix });
  });
  afterEach(async () => {
    await queue.close();
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
