import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { outsideRequests } from '../../catalog/schedule/index.js';
import { Database } from '../../catalog/store/index.js';
import {
  ChangeFeedRepository,
  type DeletedValue,
  type FeedEntry,
  type ValueVersion,
  type VersionKey,
} from './change-feed.repository.js';
import { markOf, type LogPlace } from './log-moment.query.js';

/**
 * A place in the change log: after an entry, or inside of what an entry stands for. The mark tells whether the log is still
 * the one that the cursor was made from: a database that was restored may have other entries at the same positions.
 */
export interface FeedCursor {
  /** Of the last entry that was read; 0 = before the first. */
  readonly position: number;
  /** Of what the next entry stands for, so many were read already. */
  readonly skip: number;
  /** Of the entry at the position; '' = not known. */
  readonly mark: string;
}

/** What follows a cursor. */
export interface FeedPage {
  /** In order, without gaps. */
  readonly entries: readonly FeedEntry[];
  /** Whether the log has more. */
  readonly more: boolean;
}

/** What a change is about. */
export type ChangeSubject = Pick<FeedEntry, 'urn' | 'entityType' | 'aspect'>;

/** What a reader waits for. */
export interface Wanted {
  /** Readers that wait for the same have the same key. */
  readonly key: string;
  readonly wants: (change: ChangeSubject) => boolean;
}

interface Waiter {
  /** The entry that the reader has read, or passed over while it waited. */
  cursor: FeedCursor;
  readonly wanted: Wanted;
  readonly wake: () => void;
}

/** How often the log is asked for what other processes publish, while a reader waits: milliseconds. */
const POLL_MS = 100;

/** How long to wait for what is committed to be published, and how often to look: milliseconds. */
const PUBLISH_MS = 2_000;
const PUBLISH_POLL_MS = 10;

/** Entries that are read at a time for those who wait. */
const TAIL = 500;

/**
 * The change log for readers that keep a cursor of their own. Entries come in the order of their commits, without gaps, and
 * only when they survive the loss of power; the same cursor is always followed by the same entries. Reads are bounded; a
 * reader that is at the end waits.
 */
@Injectable()
export class ChangeFeed implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ChangeFeed.name);
  private readonly waiters = new Set<Waiter>();
  private looking = false;
  private again = false;
  private urgent = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Called while readers wait, now and then. */
  poll: (() => void) | undefined;

  constructor(
    private readonly repository: ChangeFeedRepository,
    private readonly database: Database,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopped = true;
    this.wakeAll();
  }

  /** Whether this process is about to end; no reader waits then. */
  get stopping(): boolean {
    return this.stopped;
  }

  /** Readers that wait for the next entry. */
  get waiting(): number {
    return this.waiters.size;
  }

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
    return this.cursorAt(await this.repository.newest());
  }

  /** The cursor behind everything that a consumer has consumed: what it made of the log holds all that is before. */
  async behind(consumer: string): Promise<FeedCursor> {
    // In this order: what is published in between is pending, or not counted.
    const newest = await this.repository.newest();
    return this.cursorAt(await this.repository.consumedBy(consumer, newest));
  }

  /** The cursor before the first change of a time, epoch milliseconds. */
  async since(time: number): Promise<FeedCursor> {
    return this.cursorAt(await this.repository.before(time));
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
    const known = first?.position === cursor.position;
    const intact = known
      ? cursor.mark === '' || markOf(first) === cursor.mark
      : first === undefined
        ? cursor.position === 0
        : first.position === cursor.position + 1;
    if (!intact) throw await this.expired();
    const entries = known ? rows.slice(1) : rows;
    // A reader that acts on an entry must not be ahead of what a power loss leaves.
    await this.database.durable();
    return { entries: entries.slice(0, limit), more: entries.length > limit };
  }

  /** Whether the log still has what lies between a cursor and an entry after it, and is the one that they were read from. */
  async has({ position, mark }: FeedCursor, through: FeedCursor): Promise<boolean> {
    const places = await this.repository.places([position, position + 1, through.position]);
    const marks = new Map(places.map((place) => [place.position, markOf(place)]));
    const known = marks.get(position);
    const intact = known === undefined ? marks.has(position + 1) : mark === '' || known === mark;
    return intact && marks.get(through.position) === through.mark;
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

  /**
   * Waits for an entry that a reader wants: until there is one, the time is over, or the signal is aborted.
   * @returns the cursor to go on from: entries that the reader does not want are behind it
   */
  wait(cursor: FeedCursor, wanted: Wanted, ms: number, signal?: AbortSignal): Promise<FeedCursor> {
    if (this.stopped || signal?.aborted) return Promise.resolve(cursor);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        cursor,
        wanted,
        wake: () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', waiter.wake);
          this.waiters.delete(waiter);
          resolve(waiter.cursor);
        },
      };
      const timer = setTimeout(waiter.wake, ms);
      signal?.addEventListener('abort', waiter.wake);
      this.waiters.add(waiter);
      // What was published between the read and this call would wake no reader.
      this.published();
    });
  }

  /** Resolves when what readers saw survives the loss of power: to be called before a place is told without entries. */
  async settled(): Promise<void> {
    await this.database.durable();
  }

  /** Whether a reader waits for what was committed and is not published yet. */
  get awaited(): boolean {
    return this.urgent;
  }

  /** To be called after a commit of this process, with what it changed. */
  committed(changes: () => readonly ChangeSubject[]): void {
    if (this.waiters.size === 0 || this.urgent) return;
    const subjects = changes();
    // Most readers wait for the same as others.
    const asked = new Set<string>();
    for (const { wanted } of this.waiters) {
      if (asked.has(wanted.key)) continue;
      asked.add(wanted.key);
      if (!subjects.some(wanted.wants)) continue;
      this.urgent = true;
      return;
    }
  }

  /** To be called when entries have got their positions. */
  published(): void {
    this.urgent = false;
    if (this.waiters.size === 0) return;
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    clearTimeout(this.timer);
    void outsideRequests(() => this.lookUntilQuiet()).finally(() => {
      this.looking = false;
      if (this.waiters.size > 0 && !this.stopped) {
        this.timer = setTimeout(() => {
          this.poll?.();
          this.published();
        }, POLL_MS).unref();
      }
    });
  }

  private async lookUntilQuiet(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        while (await this.look());
      } catch (error) {
        // Each reader finds out for itself when its time is over.
        this.logger.debug(`the change log could not be read for those who wait: ${String(error)}`);
      }
    }
  }

  /** Reads on for all who wait at once: most of them do not want what comes. @returns whether there may be more */
  private async look(): Promise<boolean> {
    const waiters = [...this.waiters];
    if (waiters.length === 0) return false;
    const from = waiters.reduce((least, { cursor }) => Math.min(least, cursor.position), Infinity);
    const entries = await this.repository.headings(from + 1, TAIL);
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return false;
    const end = cursorBehind(last);
    /** The position of the last entry that is wanted, by key. */
    const wantedBy = new Map<string, number>();
    for (const waiter of waiters) {
      const { key, wants } = waiter.wanted;
      let wanted = wantedBy.get(key);
      if (wanted === undefined) wantedBy.set(key, (wanted = entries.findLast(wants)?.position ?? 0));
      const behind = waiter.cursor.position;
      // A gap: retention was faster, or the database is another one. The reader is told when it reads.
      const gap = first.position > behind + 1;
      if (gap || wanted > behind) waiter.wake();
      else if (last.position > behind) waiter.cursor = end;
    }
    return entries.length === TAIL;
  }

  private wakeAll(): void {
    clearTimeout(this.timer);
    for (const waiter of this.waiters) waiter.wake();
  }

  private async cursorAt(position: number): Promise<FeedCursor> {
    const [row] = position === 0 ? [] : await this.repository.from(position, 1);
    const mark = row?.position === position ? markOf(row) : '';
    return { position, skip: 0, mark };
  }

  private async expired() {
    const oldest = await this.repository.oldest();
    const from = oldest === undefined ? 'now' : new Date(oldest.time).toISOString();
    return refuse(
      'CURSOR_EXPIRED',
      `the change log no longer has what follows this cursor: it begins at ${from}. Read a snapshot and go on with its cursor, or begin with lookbackWindowDays`,
      '/offsetId',
    );
  }
}

/** The cursor behind an entry, or inside of the next one. */
export function cursorBehind(entry: LogPlace, skip = 0): FeedCursor {
  return { position: entry.position, skip, mark: markOf(entry) };
}
