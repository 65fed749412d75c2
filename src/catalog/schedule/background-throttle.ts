import { setImmediate } from 'node:timers/promises';

/** Clients often send the next request at once: nothing starts so soon after a response. */
const AFTER_ANSWER_MS = 1;
/** The process counts as idle when there was no request for this long. */
const UNATTENDED_MS = 1_000;

interface Limits {
  /** Writers count as busy until nothing was written for this long. */
  calmMs: number;
  /** The longest that background work yields to requests, each time. */
  betweenMs: number;
}
const LIMITS: Limits = { calmMs: 20, betweenMs: 5 };

/**
 * Foreground-first scheduling: background work yields to requests. On few cores a burst of writes is answered sooner when
 * indexing follows after it, and long work runs in batches, so that a request waits for one of them at most. The yields are
 * short, and there are none while a caller waits for the background work itself.
 */
export class BackgroundThrottle {
  private lastWrite = -Infinity;
  private requests = 0;
  private lastAnswer = -Infinity;
  private waiting = 0;
  private readonly sleepers = new Set<() => void>();
  private line: Promise<void> = Promise.resolve();
  private readonly limits: Limits;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** To be called with each write. */
  writing(): void {
    this.lastWrite = performance.now();
  }

  /** To be called when a request arrives. @returns to be called when it is answered */
  requestStarted(): () => void {
    this.requests += 1;
    return () => {
      this.requests -= 1;
      this.lastAnswer = performance.now();
      if (this.requests === 0) this.wake();
    };
  }

  /** Whether no request would notice a long batch: there are none, or only those that wait for this work. */
  get idle(): boolean {
    return this.requests <= this.waiting && performance.now() - this.lastAnswer > UNATTENDED_MS;
  }

  /** Whether a caller waits for background work. */
  get awaited(): boolean {
    return this.waiting > 0;
  }

  /** Runs `work`, which waits for background work; meanwhile that does not yield. */
  async awaiting<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    this.wake();
    try {
      return await work();
    } finally {
      this.waiting -= 1;
    }
  }

  /**
   * Resolves when no writes arrive, when a caller waits for background work, or after `longestMs`.
   * @param urgent asked every few milliseconds, so long as writes arrive: whether to go on at once
   */
  async yieldToWriters(longestMs: number, urgent?: () => boolean): Promise<void> {
    const { calmMs } = this.limits;
    const deadline = performance.now() + longestMs;
    for (;;) {
      const now = performance.now();
      const rest = Math.min(this.lastWrite + calmMs, deadline) - now;
      if (rest <= 0 || this.waiting > 0 || urgent?.()) return;
      await this.sleep(urgent === undefined ? rest : Math.min(rest, calmMs));
    }
  }

  /**
   * To be called between two batches: resolves when the pending requests are answered, or after a moment. One caller
   * continues at a time, so that a request waits for one batch and not for one of each caller.
   */
  yieldToRequests(): Promise<void> {
    this.line = this.line.then(() => this.afterRequests());
    return this.line;
  }

  private async afterRequests(): Promise<void> {
    const deadline = performance.now() + this.limits.betweenMs;
    for (;;) {
      // Lets the event loop read what has arrived.
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
