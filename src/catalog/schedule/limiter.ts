/** Lets so many pieces of work go on at the same time; further ones wait, in the order in which they came. */
export class Limiter {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  constructor(private readonly most: number) {}

  /** @throws the reason of the signal, when it is aborted before the work begins, and what the work throws */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    // Who leaves hands the place on.
    if (this.running < this.most) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
