/** Lets work on one level of a tree happen one after the other in this process. */
export class LevelLocks {
  private readonly tails = new Map<string, Promise<void>>();

  async hold<T>(level: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(level) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(level, tail);
    try {
      return await result;
    } finally {
      if (this.tails.get(level) === tail) this.tails.delete(level);
    }
  }
}
