import { FairLine } from './fair-line.js';
import { currentRequest } from './request-scope.js';

/** Lets so many pieces of work go on at the same time; further ones wait. Those for whom requests come take turns. */
export class Limiter {
  private running = 0;
  private readonly waiting = new FairLine<() => void>();

  constructor(private readonly most: number) {}

  /** @throws the reason of the signal, when it is aborted before the work begins, and what the work throws */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Who leaves hands the place on.
    if (this.running < this.most) this.running += 1;
    else {
      const caller = currentRequest()?.caller ?? '';
      await new Promise<void>((resolve) => this.waiting.add(caller, resolve));
    }
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.next();
      if (next) next();
      else this.running -= 1;
    }
  }
}
