import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { outsideRequests } from '../../catalog/schedule/index.js';
import { ChangeFeedRepository, type FeedHeading } from './change-feed.repository.js';
import { cursorBehind, isIntact, type FeedCursor } from './feed-cursor.js';

/** What a change is about. */
export type ChangeSubject = Pick<FeedHeading, 'urn' | 'entityType' | 'aspect'>;

/** What a reader waits for. */
export interface Wanted {
  /** Readers that wait for the same have the same key. */
  readonly key: string;
  readonly wants: (change: ChangeSubject) => boolean;
}

/** How a wait ended. */
export interface Waited {
  /** Where to go on: entries that the reader does not want are behind it. */
  readonly cursor: FeedCursor;
  /** Whether there is something to read. Otherwise the time is over, or the signal was aborted. */
  readonly found: boolean;
}

interface Waiter {
  /** The entry that the reader has read, or passed over while it waited. */
  cursor: FeedCursor;
  readonly wake: (found: boolean) => void;
}

/** The readers that wait for the same. */
interface Group {
  readonly wants: Wanted['wants'];
  readonly waiters: Set<Waiter>;
}

/** How often the log is asked for what other processes publish, while a reader waits: milliseconds. */
const POLL_MS = 100;

/** Entries that are read at a time. */
const ENTRIES = 500;

/**
 * The end of the change log, for readers that wait there. It is followed once for all of them: most want nothing of what
 * comes, and pass over it. What this process publishes is not read again.
 */
@Injectable()
export class FeedTail implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FeedTail.name);
  private readonly groups = new Map<string, Group>();
  /** The place to which all who wait have come; undefined while the log is looked at. */
  private end: FeedCursor | undefined;
  private looking = false;
  private again = false;
  private urgent = false;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Called while readers wait, now and then, where other processes publish as well. */
  poll: (() => void) | undefined;

  constructor(private readonly repository: ChangeFeedRepository) {}

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const { waiters } of this.groups.values()) for (const waiter of waiters) waiter.wake(false);
  }

  /** Whether this process is about to end; no reader waits then. */
  get stopping(): boolean {
    return this.stopped;
  }

  /** Waits for an entry that a reader wants: until there is one, the time is over, or the signal is aborted. */
  wait(cursor: FeedCursor, { key, wants }: Wanted, ms: number, signal?: AbortSignal): Promise<Waited> {
    if (this.stopped || signal?.aborted) return Promise.resolve({ cursor, found: false });
    return new Promise((resolve) => {
      const group = this.groups.get(key) ?? { wants, waiters: new Set() };
      const waiter: Waiter = {
        cursor,
        wake: (found) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          group.waiters.delete(waiter);
          if (group.waiters.size === 0) this.groups.delete(key);
          resolve({ cursor: waiter.cursor, found });
        },
      };
      const giveUp = () => waiter.wake(false);
      const timer = setTimeout(giveUp, ms);
      signal?.addEventListener('abort', giveUp);
      this.groups.set(key, group);
      group.waiters.add(waiter);
      // What was published between the read and this call would wake no reader.
      if (this.end?.position !== cursor.position || this.end.mark !== cursor.mark) this.look();
      else this.lookLater();
    });
  }

  /** Whether a reader waits for what was committed and is not published yet. */
  get awaited(): boolean {
    return this.urgent;
  }

  /** To be called after a commit of this process, with what it changed. */
  committed(changes: () => readonly ChangeSubject[]): void {
    if (this.groups.size === 0 || this.urgent) return;
    const subjects = changes();
    for (const { wants } of this.groups.values()) this.urgent ||= subjects.some(wants);
  }

  /**
   * To be called when entries have got their positions.
   * @param entriesOf makes those entries, in order
   */
  published(entriesOf: () => readonly FeedHeading[]): void {
    this.urgent = false;
    if (this.groups.size === 0) this.end = undefined;
    else if (this.end === undefined) this.look();
    else {
      const entries = entriesOf();
      if (entries[0]?.position === this.end.position + 1) this.end = this.pass(entries);
      else this.look();
    }
  }

  /** Has the log read for all who wait. */
  private look(): void {
    this.again = true;
    this.end = undefined;
    if (this.looking) return;
    this.looking = true;
    void outsideRequests(() => this.lookUntilQuiet());
  }

  private lookLater(): void {
    if (this.poll === undefined || this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.groups.size === 0) return;
      this.poll?.();
      this.look();
    }, POLL_MS).unref();
  }

  private async lookUntilQuiet(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        let end;
        while ((end = await this.readOn()) === 'more');
        if (!this.again) this.end = end;
      } catch (error) {
        // Each reader finds out for itself when its time is over.
        this.logger.debug(`the change log could not be read for those who wait: ${String(error)}`);
      }
    }
    this.looking = false;
    if (this.groups.size > 0) this.lookLater();
  }

  /** Reads what follows the place of the reader that is furthest behind. @returns the end of the log */
  private async readOn(): Promise<FeedCursor | 'more' | undefined> {
    const places = [...this.groups.values()].flatMap(({ waiters }) =>
      [...waiters].map(({ cursor }) => cursor),
    );
    if (places.length === 0) return undefined;
    const least = places.reduce((one, other) => (other.position < one.position ? other : one));
    const rows = await this.repository.headings(least.position, ENTRIES + 1);
    const more = rows.length > ENTRIES;
    // The reader is told when it reads.
    for (const { waiters } of this.groups.values())
      for (const waiter of waiters) if (isLost(waiter.cursor, rows, more)) waiter.wake(true);
    const end = rows.length === 0 ? least : this.pass(rows);
    return more ? 'more' : end;
  }

  /** Wakes those who want one of the entries; the others pass over them. @returns the place behind them */
  private pass(entries: readonly FeedHeading[]): FeedCursor {
    const end = cursorBehind(entries.at(-1)!);
    for (const { wants, waiters } of this.groups.values()) {
      const wanted = entries.findLast(wants)?.position ?? 0;
      for (const waiter of waiters) {
        const { position } = waiter.cursor;
        if (wanted > position) waiter.wake(true);
        else if (end.position > position) waiter.cursor = end;
      }
    }
    return end;
  }
}

/** Whether the log does not have a place: retention was faster than the reader, or the database is another one. */
function isLost(cursor: FeedCursor, rows: readonly FeedHeading[], more: boolean): boolean {
  const [first] = rows;
  if (first === undefined || first.position >= cursor.position) return !isIntact(cursor, first);
  return !more && rows.at(-1)!.position < cursor.position;
}
