import { describe, expect, it } from '@jest/globals';
import type { ChangeLogConsumer } from '../../catalog/change/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import { NO_TRACING } from '../../catalog/tracing/index.js';
import { ConsumerProgress } from './consumer-progress.js';
import { DeliveryNotifier } from './delivery-notifier.js';
import type { PendingDeliveries } from './pending-deliveries.js';

type Asked = Parameters<PendingDeliveries['takeUnnotified']>[1];

describe('redelivery while the queue has other jobs of the consumer', () => {
  const asked: Asked[] = [];
  let generation: string | undefined;
  const deliveries = {
    setBack: async () => undefined,
    oldestNotifications: async () => new Map([['search-index', 0]]),
    takeUnnotified: async (_consumer: string, which: Asked) => {
      asked.push(which);
      return [];
    },
  };
  const queue = {
    stats: async () => ({ 'search-index': { waiting: 1, active: 0, delayed: 0, failed: 0, stalled: 0 } }),
    generation: async () => generation,
  };
  const notifier = new DeliveryNotifier(
    deliveries as unknown as PendingDeliveries,
    queue as unknown as JobQueue,
    [{ name: 'search-index' } as ChangeLogConsumer],
    new ConsumerProgress(),
    { alone: false, pollMs: 0, lostMs: 2_000, redeliverMs: 60_000, tracing: NO_TRACING },
  );
  /** How long ago a job must have been told to the queue to be told again. */
  const look = async (): Promise<number> => {
    const now = Date.now();
    await notifier.redeliver(() => true);
    return Math.round((now - asked.at(-1)!.notifiedBefore) / 1_000);
  };

  it('comes soon when the queue was wiped, and else when the time is up', async () => {
    expect(await look()).toBe(60);
    generation = 'a';
    expect(await look()).toBe(60);
    expect(await look()).toBe(60);
    generation = 'b';
    expect(await look()).toBe(2);
    expect(await look()).toBe(2);
  });
});
