import { setImmediate } from 'node:timers/promises';

/** Writers count as busy until nothing was written for this long. */
const CALM_MS = 20;

/** Who got an answer often asks again at once: so long after the last answer nothing is begun. */
const AFTER_ANSWER_MS = 1;
/** The longest that work which goes on between requests waits for them, each time. */
const BETWEEN_MS = 20;
/** Nobody seems to be there when there was no request for this long. */
const UNATTENDED_MS = 1_000;

/**
 * Lets the work behind the commit give way to those who are waiting for an answer. On few cores a burst of writes is
 * answered sooner when the index follows after it; and work that goes on for long is done in portions, so that the
 * requests that come meanwhile wait for one of them at most. Never for long, and not at all while somebody waits for
 * that work.
 */
export class Courtesy {
  private lastWrite = -Infinity;
  private requests = 0;
  private lastAnswer = -Infinity;
  private waiting = 0;
  private readonly sleepers = new Set<() => void>();
  private line: Promise<void> = Promise.resolve();

  /** Somebody writes at this moment. */
  written(): void {
    this.lastWrite = performance.now();
  }

  /** A request has come; to be told by what this answers when it has its answer. */
  serving(): () => void {
    this.requests += 1;
    return () => {
      this.requests -= 1;
      this.lastAnswer = performance.now();
      if (this.requests === 0) this.wake();
    };
  }

  /** Nobody would notice how long a portion takes: there are no requests, but those that wait for what is done. */
  get unattended(): boolean {
    return this.requests <= this.waiting && performance.now() - this.lastAnswer > UNATTENDED_MS;
  }

  /** Somebody waits for what is behind the commit. */
  get hurried(): boolean {
    return this.waiting > 0;
  }

  /** Runs `work`, which waits for what is behind the commit; meanwhile nobody gives way. */
  async hurry<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    this.wake();
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

  /**
   * To be called between two portions of work: resolves when the requests that have come are answered, or after a
   * moment. One caller at a time goes on, so that a request waits for one portion and not for one of each of them.
   */
  between(): Promise<void> {
    this.line = this.line.then(() => this.afterRequests());
    return this.line;
  }

  private async afterRequests(): Promise<void> {
    const deadline = performance.now() + BETWEEN_MS;
    for (;;) {
      // What has arrived is read before this comes back.
      await setImmediate();
      const now = performance.now();
      if (this.waiting > 0 || now >= deadline) return;
      const calm = this.requests > 0 ? deadline : this.lastAnswer + AFTER_ANSWER_MS;
      if (calm <= now) return;
      await this.sleep(Math.min(calm, deadline) - now);
    }
  }

  private wake(): void {
    for (const wake of this.sleepers) wake();
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
