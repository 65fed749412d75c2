import { CatalogError, refuse } from '../errors/index.js';

/**
 * What one search, or all searches of one request, may still use: milliseconds of work, waiting for others not counted,
 * and for as long as the client waits for the answer. Engines look at it between their steps.
 *
 * What has used it up is refused as too costly, with 400: with the same data the same search ends in the same way, so
 * that to try again makes no sense, as it would with 503.
 */
export class SearchBudget {
  /**
   * @param limitMs of work
   * @param signal aborted when the answer is wanted no longer
   * @param now clock, in milliseconds
   */
  constructor(
    private readonly limitMs: number,
    readonly signal?: AbortSignal,
    readonly now: () => number = () => performance.now(),
    private readonly account = { spentMs: 0 },
  ) {}

  /** The same budget, which another signal ends, too: with its reason, when that is a CatalogError. */
  endedBy(signal: AbortSignal): SearchBudget {
    const either = this.signal ? AbortSignal.any([this.signal, signal]) : signal;
    return new SearchBudget(this.limitMs, either, this.now, this.account);
  }

  get leftMs(): number {
    return Math.max(0, this.limitMs - this.account.spentMs);
  }

  /** Takes note of work that was done. */
  note(ms: number): void {
    this.account.spentMs += ms;
  }

  /** Takes note of work that was done, before more is. @throws CatalogError SEARCH_TOO_COSTLY, REQUEST_ABANDONED */
  spend(ms: number): void {
    this.note(ms);
    this.check();
  }

  /** To be asked before more work is done. @throws CatalogError SEARCH_TOO_COSTLY, REQUEST_ABANDONED */
  check(): void {
    if (this.signal?.aborted) throw this.ended();
    if (this.account.spentMs >= this.limitMs) throw this.exceeded();
  }

  /** Why it was ended before its time. */
  ended(): CatalogError {
    const reason: unknown = this.signal?.reason;
    return reason instanceof CatalogError
      ? reason
      : refuse('REQUEST_ABANDONED', 'the client closed the connection');
  }

  exceeded(): CatalogError {
    const spent = Math.max(Math.ceil(this.account.spentMs), this.limitMs);
    return refuse(
      'SEARCH_TOO_COSTLY',
      `this search took ${spent} ms of work and was ended: ${this.limitMs} ms are allowed`,
    );
  }
}

/** For what the service itself looks up: it takes turns, and comes to its end. */
export const unlimited = () => new SearchBudget(Infinity);
