import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { FeedCursor } from '../change-log/index.js';
import { PACKING } from './packing.js';

/** How many pages are prepared at a time, and for how long one is ready, in milliseconds. */
const MOST_READY = 8;
const READY_MS = 2_000;
/** What packed pages take at most, and what one takes beside its bytes. */
const MOST_BYTES = 16 * 1024 ** 2;
const PAGE_BYTES = 1_024;

/** A full answer of the poll: the same cursor has the same answer for as long as the log has what it shows. */
export interface PollPage {
  /** JSON text, of one reader alone. */
  readonly answer: Buffer<ArrayBuffer>;
  /** Where the next page begins. */
  readonly next: FeedCursor;
  /** The last entry that the answer shows something of. */
  readonly through: FeedCursor;
}

/**
 * Pages of the feed that were read: most of what a reader who catches up asks for was made for another one before, or is
 * prepared while the reader works off the last answer. They are kept packed, those used last, in bounded memory.
 */
@Injectable()
export class FeedPages {
  private readonly packed = new Map<string, PollPage & { size: number }>();
  private readonly ready = new Map<string, { page: Promise<PollPage | undefined>; timer: NodeJS.Timeout }>();
  private bytes = 0;

  /** The page that was prepared under a key; undefined when there is none. */
  async prepared(key: string): Promise<PollPage | undefined> {
    const ready = this.ready.get(key);
    if (ready === undefined) return undefined;
    this.ready.delete(key);
    // It would hold the page.
    clearTimeout(ready.timer);
    return ready.page;
  }

  /** The page that is kept under a key; undefined when there is none. */
  kept(key: string): PollPage | undefined {
    const page = this.packed.get(key);
    if (page === undefined) return undefined;
    // The last one used is dropped last.
    this.packed.delete(key);
    this.packed.set(key, page);
    // Less work than to have a thread do it.
    return { ...page, answer: zstdDecompressSync(page.answer, { chunkSize: page.size + 1 }) };
  }

  /** Keeps a page for others. */
  keep(key: string, page: PollPage): void {
    if (this.packed.has(key)) return;
    // To hand it to a thread takes longer than to pack it.
    const answer = zstdCompressSync(page.answer, PACKING);
    this.add(key, { ...page, answer, size: page.answer.length });
  }

  /**
   * Has a page ready soon; a reader that does not come in time costs no more than that.
   * @param make answers undefined for what must be asked for again. Its errors are left to the reader's own request
   * @returns the page; undefined where there is none to be had, or no room for it
   */
  prepare(key: string, make: () => Promise<PollPage | undefined>): Promise<PollPage | undefined> {
    const known = this.ready.get(key);
    if (known !== undefined) return known.page;
    if (this.ready.size >= MOST_READY) return Promise.resolve(undefined);
    // The answer that stands now goes out first.
    const page = new Promise<void>((resolve) => setImmediate(resolve)).then(make).catch(() => undefined);
    const timer = setTimeout(() => this.ready.delete(key), READY_MS).unref();
    this.ready.set(key, { page, timer });
    return page;
  }

  private add(key: string, page: PollPage & { size: number }): void {
    this.packed.set(key, page);
    this.bytes += page.answer.length + PAGE_BYTES;
    for (const [oldest, { answer }] of this.packed) {
      if (this.bytes <= MOST_BYTES) return;
      this.packed.delete(oldest);
      this.bytes -= answer.length + PAGE_BYTES;
    }
  }
}
