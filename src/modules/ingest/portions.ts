import { performance } from 'node:perf_hooks';
import type { Courtesy } from './courtesy.js';

/** How much is done at once. */
export interface PortionSize {
  /** However long it takes. */
  least: number;
  /** Also when nobody is there. */
  most: number;
  /** How long a portion should hold the thread. Default 2 ms. */
  ms?: number;
}

const PORTION_MS = 2;

/**
 * Long work in the process that answers requests holds its only thread: whoever asks waits for what is being done at
 * that moment. So it is done in portions that take about as long as they should, which is learned from how long they
 * took; requests go first between them, and while there are none, or somebody waits for the work itself, as much is done
 * at once as is worth it.
 */
export class Portions {
  private readonly least: number;
  private readonly most: number;
  private readonly ms: number;
  private size: number;

  constructor(
    private readonly courtesy: Courtesy,
    { least, most, ms = PORTION_MS }: PortionSize,
  ) {
    this.least = least;
    this.most = most;
    this.ms = ms;
    this.size = least;
  }

  /** How many to do now. */
  get next(): number {
    return this.courtesy.unattended || this.courtesy.hurried ? this.most : this.size;
  }

  /** Does `work` for all items, portion by portion. */
  async each<T>(items: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < items.length;) {
      const some = items.slice(from, from + this.next);
      await this.measured(
        () => work(some),
        () => some.length,
      );
      from += some.length;
      await this.courtesy.between();
    }
  }

  /** Does a portion and learns from how long it held the thread: waiting for a server is no harm. */
  async measured<T>(work: () => Promise<T>, countOf: (result: T) => number): Promise<T> {
    const before = performance.eventLoopUtilization();
    const result = await work();
    this.learn(countOf(result), performance.eventLoopUtilization(before).active);
    return result;
  }

  /** So many held the thread for so long. */
  learn(count: number, ms: number): void {
    if (count === 0) return;
    if (ms > this.ms) {
      // The machine may have been busy with something else for a moment: half of it at most is believed.
      const fitting = Math.floor((count * this.ms) / ms);
      this.size = Math.max(this.least, Math.min(this.size, Math.max(fitting, Math.ceil(this.size / 2))));
    } else if (count >= this.size && ms < this.ms * 0.7) {
      this.size = Math.min(this.most, this.size + Math.ceil(this.size / 4));
    }
  }
}
