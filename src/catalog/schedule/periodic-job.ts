import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is done again and again, one run at a time. A run that fails is reported, and the next one comes in its time. */
export class PeriodicJob {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(everyMs: number): void {
    this.timer = setInterval(() => {
      this.running ??= this.run()
        .catch(this.failed)
        .finally(() => (this.running = undefined));
    }, everyMs).unref();
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /**
   * Calls `remove` until it removes fewer than `size`, or the job is stopped. Half of the time is left to others.
   * @returns how many were removed in all
   */
  async inSlices(size: number, remove: () => Promise<number>): Promise<number> {
    const { signal } = this.stopping;
    for (let count = 0; ;) {
      const start = performance.now();
      const removed = await remove();
      count += removed;
      if (removed < size || signal.aborted) return count;
      await sleep(performance.now() - start, undefined, { signal }).catch(() => undefined);
    }
  }
}
