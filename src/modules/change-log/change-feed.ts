import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../catalog/store/index.js';
import {
  ChangeFeedRepository,
  type DeletedValue,
  type FeedEntry,
  type ValueVersion,
  type VersionKey,
} from './change-feed.repository.js';
import { cursorBehind, expired, isIntact, type FeedCursor } from './feed-cursor.js';
import { markOf } from './log-moment.query.js';
import type { EntryTexts, PrintedEntries } from './printed-entries.query.js';

/** What follows a cursor. */
export interface FeedPage {
  /** In order, without gaps. */
  readonly entries: readonly FeedEntry[];
  /** Whether the log has more. */
  readonly more: boolean;
}

/** What follows a cursor, printed. */
export interface PrintedPage extends PrintedEntries {
  /** Behind the last entry. */
  readonly cursor: FeedCursor;
  /** Whether the log has more. */
  readonly more: boolean;
}

/** How long to wait for what is committed to be published, and how often to look: milliseconds. */
const PUBLISH_MS = 2_000;
const PUBLISH_POLL_MS = 10;

/**
 * The change log for readers that keep a cursor of their own. Entries come in the order of their commits, without gaps, and
 * only when they survive the loss of power; the same cursor is always followed by the same entries. Reads are bounded.
 */
@Injectable()
export class ChangeFeed {
  /** Called while a reader waits for what is committed to be published. */
  poll: (() => void) | undefined;

  constructor(
    private readonly repository: ChangeFeedRepository,
    private readonly database: Database,
  ) {}

  /** The highest position; 0 while nothing was published. */
  newest(): Promise<number> {
    return this.repository.newest();
  }

  /** The cursor behind everything that was committed before: what is not published yet is waited for. */
  async end(): Promise<FeedCursor> {
    const committed = await this.repository.lastCommitted();
    const deadline = performance.now() + PUBLISH_MS;
    while ((await this.repository.firstUnpublished()) <= committed && performance.now() < deadline) {
      this.poll?.();
      await sleep(PUBLISH_POLL_MS);
    }
    return this.placeAt(await this.repository.newest());
  }

  /** The cursor behind everything that a consumer has consumed: what it made of the log holds all that is before. */
  async behind(consumer: string): Promise<FeedCursor> {
    // In this order: what is published in between is pending, or not counted.
    const newest = await this.repository.newest();
    return this.placeAt(await this.repository.consumedBy(consumer, newest));
  }

  /** The cursor before the first change of a time, epoch milliseconds. */
  async since(time: number): Promise<FeedCursor> {
    return this.placeAt(await this.repository.before(time));
  }

  /**
   * The entries after a cursor, at most `limit`.
   * @param valued with the values after the changes, as far as they are still the latest
   * @throws CatalogError CURSOR_EXPIRED when retention removed the next entry, or the log is not the one of the cursor
   */
  async after(cursor: FeedCursor, limit: number, valued = false): Promise<FeedPage> {
    const { position } = cursor;
    const rows = await (valued
      ? this.repository.fromWithValues(position, limit + 2)
      : this.repository.from(position, limit + 2));
    const [first] = rows;
    if (!isIntact(cursor, first)) throw expired((await this.repository.oldest())?.time);
    const entries = first?.position === position ? rows.slice(1) : rows;
    // A reader that acts on an entry must not be ahead of what a power loss leaves.
    await this.database.durable();
    return { entries: entries.slice(0, limit), more: entries.length > limit };
  }

  /**
   * The texts of the entries after a cursor, at most `limit`; undefined when they are to be had by {@link after} only, which says
   * what is wrong with a cursor as well.
   */
  async printed(
    cursor: FeedCursor,
    limit: number,
    texts: EntryTexts,
    aside: boolean,
  ): Promise<PrintedPage | undefined> {
    const { position } = cursor;
    const printed = await this.repository.printed(position, limit, texts, aside);
    if (printed === undefined || printed.last - position !== printed.entries) return undefined;
    // What retention has left now was there before.
    const places = await this.repository.places([position, position + 1, printed.last, printed.last + 1]);
    const at = (place: number) => places.find((found) => found.position === place);
    const last = at(printed.last);
    const end = printed.entries === 0 ? cursor : last && cursorBehind(last);
    if (end === undefined || !isIntact(cursor, at(position) ?? at(position + 1))) return undefined;
    await this.database.durable();
    return { ...printed, cursor: end, more: at(printed.last + 1) !== undefined };
  }

  /** Whether the log still has what lies between a cursor and an entry after it, and is the one that they were read from. */
  async has(cursor: FeedCursor, through: FeedCursor): Promise<boolean> {
    return (await this.cursorAt(through.position, cursor, through)) !== undefined;
  }

  /** The cursor behind an entry between two cursors; undefined when the log is not, or no longer, the one of these. */
  async cursorAt(position: number, cursor: FeedCursor, through: FeedCursor): Promise<FeedCursor | undefined> {
    if (through.position === cursor.position) return cursor;
    const begin = cursor.position;
    const places = await this.repository.places([begin, begin + 1, position, through.position]);
    const at = (place: number) => places.find((found) => found.position === place);
    const [entry, last] = [at(position), at(through.position)];
    const same = last !== undefined && markOf(last) === through.mark;
    return entry && same && isIntact(cursor, at(begin) ?? at(begin + 1)) ? cursorBehind(entry) : undefined;
  }

  /** The values after changes that are still the latest, by position. */
  latest(positions: readonly number[]): Promise<Map<number, ValueVersion>> {
    return this.repository.latest(positions);
  }

  /** The values that entries name, under {@link keyOf}. */
  values(keys: readonly VersionKey[]): Promise<Map<string, ValueVersion>> {
    return this.repository.values(keys);
  }

  /** What an entity had when the entry deleted it. */
  deletedWith({ entityId, sequence }: FeedEntry): Promise<DeletedValue[]> {
    return this.repository.deletedWith(entityId, sequence);
  }

  /** Resolves when what readers saw survives the loss of power: to be called before a place is told without entries. */
  async settled(): Promise<void> {
    await this.database.durable();
  }

  private async placeAt(position: number): Promise<FeedCursor> {
    const [row] = position === 0 ? [] : await this.repository.from(position, 1);
    const mark = row?.position === position ? markOf(row) : '';
    return { position, skip: 0, mark };
  }
}
