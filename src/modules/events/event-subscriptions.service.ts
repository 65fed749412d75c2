import { Inject, Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { outsideRequests } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import {
  ChangeFeed,
  FeedTail,
  readCursor,
  writeCursor,
  type ChangeSubject,
  type FeedCursor,
  type Waited,
} from '../change-log/index.js';
import { FeedConsumers } from './consumers/feed-consumer.service.js';
import { EventFilters } from './event-filters.js';
import { EventReaders } from './event-readers.js';
import type { EventStream } from './event-stream.js';
import { FeedPages, type PollPage } from './feed-pages.js';
import { FeedEventsService, type FeedEvents, type FeedQuery } from './feed-events.service.js';
import { FeedPrinter, type PrintedEvents } from './feed-printer.js';
import type { Subscription } from './subscription.js';

/** The lists of a filter in a query. */
const PARAMETERS = { entityType: 'entityType', aspect: 'aspect', category: 'category' };
const DAY_MS = 86_400_000;
/** How often a stream tells where it is, and whether its token still holds: milliseconds. */
const HEARTBEAT_MS = 5_000;
/** After so long a stream asks again whether its token and the policies still allow it, before it sends more. */
const RECHECK_MS = 1_000;
/** Pages that are prepared for a reader of full ones. */
const AHEAD = 2;
/** Events that a stream reads at a time. */
const STREAM_EVENTS = 200;

/** How a stream is served. */
export interface StreamTerms {
  /** Of events, after which it ends. */
  limit: number;
  /** Begins the answer, when the first read went well. */
  open: () => void;
  /** Throws when the token of the caller no longer holds. */
  stillAllowed: () => Promise<Principal>;
}

/** Serves readers of the change feed: one answer with a long poll, or a stream. */
@Injectable()
export class EventSubscriptions {
  /** What streams read now. */
  private readonly reads = new Map<string, Promise<FeedEvents>>();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly tail: FeedTail,
    private readonly events: FeedEventsService,
    private readonly printer: FeedPrinter,
    private readonly readers: EventReaders,
    private readonly filters: EventFilters,
    private readonly consumers: FeedConsumers,
    private readonly pages: FeedPages,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'feedWaitMs' | 'feedStreamSeconds'>,
  ) {}

  /**
   * @returns the JSON text of the answer, which is the caller's to release
   * @throws CatalogError PARAMETER_INVALID, NOT_ALLOWED, CURSOR_EXPIRED, TOO_MANY_REQUESTS
   */
  async poll(
    principal: Principal,
    subscription: Subscription,
    { limit, waitMs, signal }: { limit: number; waitMs: number; signal: () => AbortSignal | undefined },
  ): Promise<Buffer<ArrayBuffer>> {
    this.filters.check(subscription.topic, subscription.filter, PARAMETERS);
    return this.readers.admit(async () => {
      const deadline = performance.now() + Math.min(waitMs, this.settings.feedWaitMs);
      let query = { ...subscription, limit, cursor: await this.start(principal, subscription) };
      const known = await this.knownPage(principal, query);
      if (known !== undefined) return known.answer;
      for (;;) {
        const page = await this.printer.read(principal, query);
        const { count, cursor, more } = page;
        const left = deadline - performance.now();
        if (count > 0 || left <= 0 || signal()?.aborted || this.tail.stopping) {
          const full = this.keep(principal, query, page);
          // Who has come with a cursor is likely to come again.
          if (full !== undefined && subscription.offsetId !== undefined)
            this.prepare(principal, { ...query, cursor });
          return full?.answer ?? answerOf(page);
        }
        const next = more ? cursor : (await this.wait(query, cursor, left, signal())).cursor;
        query = { ...query, cursor: next };
      }
    });
  }

  /**
   * The answer of {@link poll} for a cursor, where it was made before, which is the caller's to release; undefined where it has
   * to be made.
   * @throws CatalogError as {@link poll} does
   */
  async known(
    principal: Principal,
    subscription: Subscription,
    limit: number,
  ): Promise<Buffer<ArrayBuffer> | undefined> {
    const { offsetId, consumer } = subscription;
    if (offsetId === undefined || consumer !== undefined) return undefined;
    this.filters.check(subscription.topic, subscription.filter, PARAMETERS);
    const query = { ...subscription, limit, cursor: readCursor(offsetId) };
    return this.readers.admit(async () => (await this.knownPage(principal, query))?.answer);
  }

  /** A page that was made before; those behind it are prepared then. */
  private async knownPage(principal: Principal, query: FeedQuery): Promise<PollPage | undefined> {
    authorize(principal, 'read');
    // What is kept shows everything.
    if (readsInPart(principal)) return undefined;
    const found = (await this.pages.prepared(keyOf(query))) ?? (await this.keptPage(query));
    if (found !== undefined) this.prepare(principal, { ...query, cursor: found.next });
    return found;
  }

  /** A page that is kept, if the log still has what it shows. */
  private async keptPage(query: FeedQuery): Promise<PollPage | undefined> {
    const found = this.pages.kept(keyOf(query));
    return found !== undefined && (await this.feed.has(query.cursor, found.through)) ? found : undefined;
  }

  /** A page for the next one who asks; undefined for a page that may become longer, or that depends on who asks. */
  private keep(principal: Principal, query: FeedQuery, page: PrintedEvents): PollPage | undefined {
    const same = page.more && page.final && page.count > 0;
    if (!same || readsInPart(principal)) return undefined;
    const full = { answer: answerOf(page), next: page.cursor, through: page.through };
    if (!page.kept) this.pages.keep(keyOf(query), full);
    return full;
  }

  /** Has pages ready for a reader who works off the last one, and what those behind them are made of. */
  private prepare(principal: Principal, query: FeedQuery): void {
    const ahead = async (from: FeedQuery, pages: number): Promise<void> => {
      const page = await this.pages.prepare(
        keyOf(from),
        async () =>
          (await this.keptPage(from)) ?? this.keep(principal, from, await this.printer.read(principal, from)),
      );
      if (page !== undefined && pages > 1) await ahead({ ...from, cursor: page.next }, pages - 1);
    };
    void outsideRequests(() => Promise.all([this.printer.prepare(principal, query), ahead(query, AHEAD)]));
  }

  /**
   * Sends events until the client or the process ends, or the time of a stream is over.
   * @throws CatalogError as {@link poll} does, before the answer has begun
   */
  async stream(
    principal: Principal,
    subscription: Subscription,
    stream: EventStream,
    { limit, open, stillAllowed }: StreamTerms,
  ): Promise<void> {
    this.filters.check(subscription.topic, subscription.filter, PARAMETERS);
    await this.readers.admit(async () => {
      const cursor = await this.start(principal, subscription);
      const query = { ...subscription, limit, cursor };
      // What is wrong with the cursor is answered before the stream begins.
      await this.events.read(principal, { ...query, limit: 1 });
      open();
      try {
        await this.follow(principal, query, stream, stillAllowed);
      } catch (error) {
        const known = error instanceof CatalogError;
        const said = known
          ? { code: error.code, message: error.message }
          : { code: 'INTERNAL', message: 'internal error; connect again with the id of the last event' };
        await stream.send('error', JSON.stringify(said));
        if (!known) throw error;
      } finally {
        stream.end();
      }
    });
  }

  private follow(
    principal: Principal,
    query: FeedQuery,
    stream: EventStream,
    stillAllowed: () => Promise<Principal>,
  ): Promise<void> {
    return this.readers.follow(async (place) => {
      const end = performance.now() + this.settings.feedStreamSeconds * 1000;
      let { cursor, limit: left } = query;
      let told = performance.now();
      let checked = told;
      let reader = principal;
      let unread = true;
      await stream.sendPlace(writeCursor(cursor));
      while (left > 0 && !stream.signal.aborted && !this.tail.stopping) {
        const limit = Math.min(left, STREAM_EVENTS);
        if (performance.now() - checked >= RECHECK_MS) {
          reader = await stillAllowed();
          checked = performance.now();
        }
        let more = false;
        if (unread) {
          const page = await this.shared(reader, { ...query, cursor, limit });
          left -= page.events.length;
          for (const event of page.events) {
            if (stream.signal.aborted) return;
            await stream.send(query.topic, event.value, writeCursor(event.cursor));
          }
          ({ cursor, more } = page);
        }
        const pause = Math.min(HEARTBEAT_MS, end - performance.now());
        if (pause <= 0) break;
        if (!more) ({ cursor, found: unread } = await this.wait(query, cursor, pause, stream.signal));
        place.position = cursor.position;
        if (performance.now() - told < HEARTBEAT_MS) continue;
        told = performance.now();
        await this.feed.settled();
        await stream.sendPlace(writeCursor(cursor));
      }
    });
  }

  /** One read for all streams that wait for the same at the same place: an entry wakes them together. */
  private shared(principal: Principal, query: FeedQuery): Promise<FeedEvents> {
    authorize(principal, 'read');
    if (readsInPart(principal)) return this.events.read(principal, query);
    const key = keyOf(query);
    const known = this.reads.get(key);
    if (known !== undefined) return known;
    const read = this.events.read(principal, query).finally(() => this.reads.delete(key));
    this.reads.set(key, read);
    return read;
  }

  /** Waits for the next event of a query, and passes over what it does not want. */
  private wait(query: FeedQuery, cursor: FeedCursor, ms: number, signal?: AbortSignal): Promise<Waited> {
    const { topic, filter } = query;
    const wants = (change: ChangeSubject) => this.events.wants(query, change);
    return this.tail.wait(cursor, { key: JSON.stringify([topic, filter]), wants }, ms, signal);
  }

  private start(
    principal: Principal,
    { offsetId, consumer, lookbackDays }: Subscription,
  ): Promise<FeedCursor> | FeedCursor {
    if (consumer !== undefined) return this.consumers.begin(principal, consumer, offsetId);
    if (offsetId !== undefined) return readCursor(offsetId);
    return lookbackDays === undefined ? this.feed.end() : this.feed.since(Date.now() - lookbackDays * DAY_MS);
  }
}

/** The same text for all who get the same page. */
function keyOf({ topic, filter, limit, cursor }: FeedQuery): string {
  return JSON.stringify([topic, filter, limit, writeCursor(cursor)]);
}

/** The JSON text of an answer of the poll. The parts are not read again. */
function answerOf({ count, parts, cursor, held }: PrintedEvents): Buffer<ArrayBuffer> {
  const head = Buffer.from(`{"offsetId":"${writeCursor(cursor)}","count":${count},"events":[`);
  const [first, ...others] = parts;
  // The first one has no comma before it.
  const texts = first === undefined ? [] : [first.subarray(1), ...others];
  const answer = Buffer.concat([head, ...texts, Buffer.from(']}')]);
  for (const bytes of held) bytes.release();
  return answer;
}
