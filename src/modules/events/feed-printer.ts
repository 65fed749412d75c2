import { setImmediate as nextRound } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { releaseBytes } from '../../catalog/store/index.js';
import {
  ChangeFeed,
  writeCursor,
  type EntryTexts,
  type FeedCursor,
  type PrintedPage,
} from '../change-log/index.js';
import { ReadFilters } from '../entities/index.js';
import { printedChangeLog } from './derive/metadata-change-log.js';
import {
  FeedEventsService,
  FULL,
  LEAST_VALUES,
  nextSize,
  SCAN,
  wantsAllValues,
  type FeedEvents,
  type FeedQuery,
} from './feed-events.service.js';
import { FeedRun } from './feed-run.js';
import { FeedRuns } from './feed-runs.js';

/** Events that are made JSON at a time. */
const PRINTED = 100;
/** Entries that are printed for a reader who asks for fewer: it will ask for what follows. */
const LEAST_PRINTED = 100;
/** Pages that are prepared for a reader, and how many entries at the most. */
const PAGES_AHEAD = 2;
const MOST_AHEAD = 2_000;
/** So many times at the most it is not asked, after it could not. */
const MOST_PAUSES = 64;

/** Events as an answer has them. */
export interface PrintedEvents extends Pick<FeedEvents, 'cursor' | 'through' | 'more' | 'final'> {
  readonly count: number;
  /** JSON texts, each with a comma before it. */
  readonly parts: ReadonlyArray<Uint8Array<ArrayBuffer>>;
  /** Whether all of it is in runs, which are kept for others. */
  readonly kept: boolean;
  /** What the parts are in, to be released when they are not needed any more. */
  readonly held: ReadonlyArray<Pick<FeedRun, 'release'>>;
}

/** A line feed tells the texts apart; a comma takes its place. */
const [BEFORE, BEHIND] = ['\n{"contentType":"application/json","value":', '}'];

const TEXTS: EntryTexts = {
  entry: printedChangeLog,
  answer: (texts, event) => texts.joined([texts.literal(BEFORE), texts.quoted(event), texts.literal(BEHIND)]),
};

/** What follows a cursor. */
interface FoundRun {
  readonly run: FeedRun;
  /** Whether the log has more than the run. */
  readonly more: boolean;
}

/**
 * The events of a query as bytes. For readers that want every change of versioned aspects, a database that can build
 * JSON prints the events itself: reading a dozen values each and printing JSON inside JSON is most of the cost of a
 * first reader. It prints more at a time than a short answer has, and the next answer gets the rest.
 */
@Injectable()
export class FeedPrinter {
  /** Entries to print next: those of one log resemble each other. */
  private size = LEAST_VALUES;
  private pauses = 0;
  private pausing = 0;
  /** What is printed now, by the cursor before it. */
  private readonly printing = new Map<string, Promise<FoundRun | undefined>>();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly events: FeedEventsService,
    private readonly filters: ReadFilters,
    private readonly model: Model,
    private readonly runs: FeedRuns,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, CURSOR_EXPIRED */
  async read(principal: Principal, query: FeedQuery): Promise<PrintedEvents> {
    authorize(principal, 'read');
    const parts: Array<Uint8Array<ArrayBuffer>> = [];
    const runs: FeedRun[] = [];
    let [count, size] = [0, 0];
    let cursor = query.cursor;
    if (isPrinted(principal, query))
      for (const begin = cursor.position; ;) {
        const found = await this.found(cursor, query.limit - count);
        if (found === undefined) break;
        runs.push(found.run);
        const part = found.run.part(cursor.position, query.limit - count);
        // Which event fills the answer is found where they are told one by one.
        if (size + part.bytes.length >= FULL) break;
        const next = await this.feed.cursorAt(part.last, cursor, found.run.index.end);
        if (next === undefined) {
          this.runs.drop(found.run);
          break;
        }
        cursor = next;
        if (part.count > 0) parts.push(part.bytes);
        count += part.count;
        size += part.bytes.length;
        const full = count === query.limit || cursor.position - begin >= SCAN;
        const more = full || found.more;
        if (full || !more)
          return { count, parts, cursor, through: cursor, more, final: true, kept: true, held: runs };
        await nextRound();
      }
    const room = FULL - parts.reduce((bytes, part) => bytes + bytesOfEvents(part), 0);
    const rest = await this.events.read(principal, { ...query, cursor, limit: query.limit - count }, room);
    const own = partsOf(rest);
    const held = [...runs, ...own.map((part) => ({ release: () => releaseBytes(part) }))];
    return { ...rest, count: count + rest.events.length, parts: [...parts, ...own], kept: false, held };
  }

  /** Has what follows a cursor printed for a reader who will ask for it. Errors are left to that request. */
  async prepare(principal: Principal, query: FeedQuery): Promise<void> {
    if (!isPrinted(principal, query)) return;
    const { limit } = query;
    let { cursor } = query;
    const last = cursor.position + Math.min(Math.max(PAGES_AHEAD * limit, this.size), MOST_AHEAD);
    while (cursor.position < last) {
      let end = this.runs.reach(cursor);
      if (end === undefined) {
        // The answer that stands now goes out first, and what else has come.
        await nextRound();
        const found = await this.print(cursor, limit, true).catch(() => undefined);
        if (found?.more !== true) return;
        ({ end } = found.run.index);
      }
      cursor = end;
    }
  }

  /** What follows a cursor, held for the caller; undefined when it is to be had one by one only. */
  private async found(cursor: FeedCursor, limit: number): Promise<FoundRun | undefined> {
    const run = this.runs.find(cursor);
    if (run !== undefined) return { run, more: true };
    const printed = await this.print(cursor, limit);
    printed?.run.hold();
    return printed;
  }

  /** One print for all who ask for what follows a cursor. */
  private print(cursor: FeedCursor, limit: number, aside = false): Promise<FoundRun | undefined> {
    const key = writeCursor(cursor);
    const known = this.printing.get(key);
    if (known !== undefined) return known;
    const print = this.printed(cursor, limit, aside)
      // What failed aside is told one by one.
      .catch((error: unknown) => (aside ? undefined : Promise.reject(error as Error)))
      .finally(() => this.printing.delete(key));
    this.printing.set(key, print);
    return print;
  }

  private async printed(cursor: FeedCursor, limit: number, aside: boolean): Promise<FoundRun | undefined> {
    if (this.pausing > 0) {
      this.pausing -= 1;
      return undefined;
    }
    const size = aside ? this.size : Math.min(this.size, Math.max(limit, LEAST_PRINTED));
    const most = this.runs.gap(cursor, size);
    const page = await this.feed.printed(cursor, most, TEXTS, aside);
    if (page === undefined || !this.tells(page)) {
      this.pausing = this.pauses = Math.min(2 * this.pauses + 1, MOST_PAUSES);
      return undefined;
    }
    this.pauses = 0;
    if (page.entries === this.size) this.size = nextSize(this.size, page.size);
    const run = FeedRun.of(cursor, page).hold();
    // Who waits for it holds it by then.
    setImmediate(() => run.release());
    if (page.entries > 0) void this.runs.add(run, page.more);
    return { run, more: page.more };
  }

  /** Whether the texts are what the entries say: no filter has a say in their values, and the model knows them. */
  private tells({ kinds }: PrintedPage): boolean {
    return kinds.every(({ entityType, aspect: name, told }) => {
      const aspect = this.model.entities.get(entityType)?.aspects.get(name);
      const timeseries = aspect?.kind === 'timeseries';
      return aspect !== undefined && !this.filters.concern(name) && told === !timeseries;
    });
  }
}

/** Whether a reader wants every change of versioned aspects, and may see all of them. */
const isPrinted = (principal: Principal, query: FeedQuery): boolean =>
  wantsAllValues(query) && query.cursor.skip === 0 && !readsInPart(principal);

/** Bytes of the events in a part of an answer, as {@link FULL} counts them. */
function bytesOfEvents(part: Uint8Array): number {
  const events = JSON.parse(`[${Buffer.from(part).toString().slice(1)}]`) as Array<{ value: string }>;
  return events.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0);
}

/** A text of megabytes takes longer to make than its parts do. */
function partsOf({ events }: FeedEvents): Array<Buffer<ArrayBuffer>> {
  const parts: Array<Buffer<ArrayBuffer>> = [];
  for (let from = 0; from < events.length; from += PRINTED) {
    const some = events.slice(from, from + PRINTED);
    const text = JSON.stringify(some.map(({ value }) => ({ contentType: 'application/json', value })));
    parts.push(Buffer.from(`,${text.slice(1, -1)}`));
  }
  return parts;
}
