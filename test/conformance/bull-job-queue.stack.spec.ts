import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { BullJobQueue } from '../../src/adapters/queue/bull/index.js';
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
