import { performance } from 'node:perf_hooks';
import type { BackgroundThrottle } from './background-throttle.js';

/** The bounds of a batch, in items. */
export interface BatchBounds {
  /** The smallest batch, however long it takes. */
  least: number;
  /** The largest, also while the process is idle. */
  most: number;
  /** How long a batch should hold the thread. Default 2 ms. */
  ms?: number;
}

const BATCH_MS = 2;

/**
 * The adaptive batch size of background work in the thread that serves requests: learned from how long batches held the
 * thread. Requests are served between batches. While the process is idle, or a caller waits for the work itself, batches
 * have the largest size.
 */
export class AdaptiveBatch {
  private readonly least: number;
  private readonly most: number;
  private readonly ms: number;
  private size: number;

  constructor(
    private readonly throttle: BackgroundThrottle,
    { least, most, ms = BATCH_MS }: BatchBounds,
  ) {
    this.least = least;
    this.most = most;
    this.ms = ms;
    this.size = least;
  }

  /** The size of the next batch. */
  get next(): number {
    return this.throttle.idle || this.throttle.awaited ? this.most : this.size;
  }

  /** Does `work` for all items, batch by batch. */
  async each<T>(items: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < items.length;) {
      const some = items.slice(from, from + this.next);
      await this.measured(
        () => work(some),
        () => some.length,
      );
      from += some.length;
      await this.throttle.yieldToRequests();
    }
  }

  /** Runs one batch and learns from how long it held the thread; waiting for a server does not count. */
  async measured<T>(work: () => Promise<T>, countOf: (result: T) => number): Promise<T> {
    const before = performance.eventLoopUtilization();
    const result = await work();
    this.learn(countOf(result), performance.eventLoopUtilization(before).active);
    return result;
  }

  /** `count` items held the thread for `ms`. */
  learn(count: number, ms: number): void {
    if (count === 0) return;
    if (ms > this.ms) {
      // The machine may have been busy with something else: the size is halved at most.
      const fitting = Math.floor((count * this.ms) / ms);
      this.size = Math.max(this.least, Math.min(this.size, Math.max(fitting, Math.ceil(this.size / 2))));
    } else if (count >= this.size && ms < this.ms * 0.7) {
      this.size = Math.min(this.most, this.size + Math.ceil(this.size / 4));
    }
  }
}
