/** Writers count as busy until nothing was written for this long. */
const CALM_MS = 20;

/**
 * Lets the work behind the commit give way to writers: on few cores a burst of writes is answered sooner when the
 * index follows after it. Never for long, and not at all while somebody waits for that work.
 */
export class Courtesy {
  private lastWrite = -Infinity;
  private waiting = 0;
  private readonly sleepers = new Set<() => void>();

  /** Somebody writes at this moment. */
  written(): void {
    this.lastWrite = performance.now();
  }

  /** Runs `work`, which waits for what is behind the commit; meanwhile nobody gives way. */
  async hurry<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    for (const wake of this.sleepers) wake();
    try {
      return await work();
    } finally {
      this.waiting -= 1;
    }
  }

  /** Resolves when writers are calm, when somebody is in a hurry, or after `longestMs`. */
  async giveWay(longestMs: number): Promise<void> {
    const deadline = performance.now() + longestMs;
    for (;;) {
      const now = performance.now();
      const rest = Math.min(this.lastWrite + CALM_MS, deadline) - now;
      if (rest <= 0 || this.waiting > 0) return;
      await this.sleep(rest);
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, ms));
      this.sleepers.add(wake);
    });
  }
}
