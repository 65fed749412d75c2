import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../../src/catalog/queue/index.js';

/** Resolves when no job of the queue waits, runs, or waits for another attempt; failed ones do not count. */
export async function idle(queue: JobQueue, name: string): Promise<void> {
  for (;;) {
    const { waiting = 0, active = 0, delayed = 0, stalled = 0 } = (await queue.stats())[name] ?? {};
    if (waiting + active + delayed + stalled === 0) return;
    await sleep(5);
  }
}
