import { Injectable } from '@nestjs/common';

/** How many pages are prepared at a time, and for how long one is kept, in milliseconds. */
const MOST_PAGES = 8;
const KEPT_MS = 2_000;

/**
 * Prepares the next answer of readers that catch up, while they work off the last one. A reader that does not come back in
 * time costs one unused page.
 */
@Injectable()
export class ReadAhead<T> {
  private readonly pages = new Map<string, Promise<T | undefined>>();

  /** The answer that was prepared under a key, once; undefined when there is none. */
  take(key: string): Promise<T | undefined> | undefined {
    const page = this.pages.get(key);
    this.pages.delete(key);
    return page;
  }

  /** @param make answers undefined for what must be asked for again; its errors are left to the reader's own request */
  prepare(key: string, make: () => Promise<T | undefined>): void {
    if (this.pages.size >= MOST_PAGES || this.pages.has(key)) return;
    // The answer that stands now goes out first.
    const page = new Promise<void>((resolve) => setImmediate(resolve)).then(make).catch(() => undefined);
    this.pages.set(key, page);
    setTimeout(() => {
      if (this.pages.get(key) === page) this.pages.delete(key);
    }, KEPT_MS).unref();
  }
}
