import { setImmediate as nextRound } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { JsonStrings } from '../../catalog/json/index.js';
import { Model } from '../../catalog/model/index.js';
import { releaseBytes } from '../../catalog/store/index.js';
import { ChangeFeed, type EntryTexts, type FeedCursor, type PrintedPage } from '../change-log/index.js';
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
import { continues, FeedRun } from './feed-run.js';
import { FeedRuns } from './feed-runs.js';

/** Events that are made JSON at a time. */
const PRINTED = 100;
/** Entries that are printed for a reader who asks for fewer: it will ask for what follows. */
const LEAST_PRINTED = 100;
/** Pages that are printed ahead of a reader, how many entries and about how many bytes at the most, and runs that are asked for at a time. */
const PAGES_AHEAD = 3;
const MOST_AHEAD = 3_000;
const BYTES_AHEAD = 4 * 1024 ** 2;
const RUNS_AHEAD = 3;
/** What an entry is assumed to take before one was printed. */
const FIRST_ENTRY = 2_000;
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

const TEXTS: EntryTexts = {
  entry: printedChangeLog,
  strings: new JsonStrings({ before: '{"contentType":"application/json","value":"', behind: '"}' }),
};

/** What follows a cursor. */
interface FoundRun {
  readonly run: FeedRun;
  /** Whether the log has more than the run. */
  readonly more: boolean;
}

/** A print that is under way, of what lies behind one position as far as another. */
interface Printing {
  readonly begin: number;
  readonly end: number;
  readonly print: Promise<FoundRun | undefined>;
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
  /** What an entry takes of those that were printed last. */
  private entryBytes = FIRST_ENTRY;
  private readonly printing = new Set<Printing>();

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
    const { cursor, limit } = query;
    const wanted = Math.max(PAGES_AHEAD * limit, RUNS_AHEAD * this.size);
    const most = Math.min(wanted, MOST_AHEAD, Math.ceil(BYTES_AHEAD / this.entryBytes));
    // The answer that stands now goes out first, and what else has come.
    await nextRound();
    const newest = await this.feed.newest();
    const last = Math.min(cursor.position + most, newest);
    for (let { position } = cursor; position < last;) {
      const [known] = this.printing;
      const end =
        this.runs.reach({ position, skip: 0, mark: '' })?.position ?? this.printedNow(position)?.end;
      if (end !== undefined) position = end;
      else if (known === undefined || this.printing.size < RUNS_AHEAD)
        // The thread has the next run before it when it is done with one: positions have no gaps.
        void this.print({ position, skip: 0, mark: '' }, newest - position, true);
      else if ((await known.print.catch(() => undefined))?.more !== true) return;
    }
  }

  /** What follows a cursor, held for the caller; undefined when it is to be had one by one only. */
  private async found(cursor: FeedCursor, limit: number): Promise<FoundRun | undefined> {
    for (;;) {
      const run = this.runs.find(cursor);
      if (run !== undefined) return { run, more: true };
      const now = cursor.skip === 0 ? this.printedNow(cursor.position) : undefined;
      const own = now === undefined;
      const printed = await (now?.print ?? this.print(cursor, Math.max(limit, LEAST_PRINTED)));
      if (own || printed === undefined || continues(printed.run.index, cursor)) {
        printed?.run.hold();
        return printed;
      }
    }
  }

  /** What is printed now and has what follows a position. */
  private printedNow(position: number): Printing | undefined {
    for (const print of this.printing) if (print.begin <= position && position < print.end) return print;
    return undefined;
  }

  /** One print for all who ask for what follows a cursor. */
  private print(cursor: FeedCursor, limit: number, aside = false): Promise<FoundRun | undefined> {
    const size = this.runs.gap(cursor, Math.min(this.size, limit));
    const printing: Printing = {
      begin: cursor.position,
      end: cursor.position + size,
      print: this.printed(cursor, size, aside)
        // What failed aside is told one by one.
        .catch((error: unknown) => (aside ? undefined : Promise.reject(error as Error)))
        .finally(() => this.printing.delete(printing)),
    };
    this.printing.add(printing);
    return printing.print;
  }

  private async printed(cursor: FeedCursor, size: number, aside: boolean): Promise<FoundRun | undefined> {
    if (this.pausing > 0) {
      this.pausing -= 1;
      return undefined;
    }
    const page = await this.feed.printed(cursor, size, TEXTS, aside);
    if (page === undefined || !this.tells(page)) {
      this.pausing = this.pauses = Math.min(2 * this.pauses + 1, MOST_PAUSES);
      return undefined;
    }
    this.pauses = 0;
    if (page.entries > 0) this.entryBytes = 1 + page.size / page.entries;
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
