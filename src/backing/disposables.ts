/** What a process opens, in the order in which it is closed: what is under way first, last what it stands on. */
const PARTS = ['queue', 'counts', 'index', 'holder', 'database', 'lock', 'tracing'] as const;

/** What a process has opened so far, so that all of it can be closed, also when the start ends halfway. */
export class Disposables {
  private readonly closers = new Map<(typeof PARTS)[number], () => void | Promise<void>>();
  private closed = false;

  /** Notes a part, and answers it. One that comes too late is closed at once. */
  async note<T>(name: (typeof PARTS)[number], part: T, close: (part: T) => void | Promise<void>): Promise<T> {
    this.closers.set(name, () => close(part));
    if (this.closed) await this.close();
    return part;
  }

  /** Closes each part once, whatever becomes of the others. @throws what went wrong first */
  async close(): Promise<void> {
    this.closed = true;
    const faults: unknown[] = [];
    for (const name of PARTS) {
      const close = this.closers.get(name);
      this.closers.delete(name);
      try {
        await close?.();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
