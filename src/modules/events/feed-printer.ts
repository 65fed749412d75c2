import { setImmediate as nextRound } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { ChangeFeed, type EntryTexts, type FeedCursor } from '../change-log/index.js';
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

/** Events that are made JSON at a time. */
const PRINTED = 100;
/** So many times at the most it is not asked, after it could not. */
const MOST_PAUSES = 64;

/** Events as an answer has them. */
export interface PrintedEvents extends Pick<FeedEvents, 'cursor' | 'through' | 'more' | 'final'> {
  readonly count: number;
  /** JSON texts, each with a comma before it. */
  readonly parts: ReadonlyArray<Uint8Array<ArrayBuffer>>;
}

const [BEFORE, BEHIND] = [',{"contentType":"application/json","value":', '}'];

const TEXTS: EntryTexts = {
  entry: printedChangeLog,
  answer: (texts, event) => [texts.literal(BEFORE), texts.quoted(event), texts.literal(BEHIND)],
};

/**
 * The events of a query as bytes. Where a reader wants every change of versioned aspects, and the database makes texts, it makes
 * those: what else would be read from it as a dozen values, and be made JSON within JSON, is most of what a first reader costs.
 */
@Injectable()
export class FeedPrinter {
  /** Entries to print next: those of one log resemble each other. */
  private size = LEAST_VALUES;
  private pauses = 0;
  private pausing = 0;
  private readonly told = new Map<string, Told>();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly events: FeedEventsService,
    private readonly filters: ReadFilters,
    private readonly model: Model,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, CURSOR_EXPIRED */
  async read(principal: Principal, query: FeedQuery): Promise<PrintedEvents> {
    authorize(principal, 'read');
    const parts: Array<Uint8Array<ArrayBuffer>> = [];
    let [count, room] = [0, FULL];
    let cursor = query.cursor;
    if (wantsAllValues(query) && cursor.skip === 0 && !readsInPart(principal))
      for (let scanned = 0; ;) {
        const page = await this.printed(cursor, Math.min(this.size, query.limit - count), room);
        if (page === undefined) break;
        ({ cursor } = page);
        if (page.texts > 0) parts.push(page.bytes);
        count += page.texts;
        room -= page.size;
        scanned += page.entries;
        const full = count === query.limit || scanned >= SCAN;
        if (full || !page.more)
          return { count, parts, cursor, through: cursor, more: full || page.more, final: true };
        await nextRound();
      }
    const rest = await this.events.read(principal, { ...query, cursor, limit: query.limit - count }, room);
    return { ...rest, count: count + rest.events.length, parts: [...parts, ...partsOf(rest)] };
  }

  private async printed(cursor: FeedCursor, limit: number, room: number) {
    if (this.pausing > 0) {
      this.pausing -= 1;
      return undefined;
    }
    const page = await this.feed.printed(cursor, limit, TEXTS);
    if (page === undefined || !this.tells(page)) {
      this.pausing = this.pauses = Math.min(2 * this.pauses + 1, MOST_PAUSES);
      return undefined;
    }
    this.pauses = 0;
    if (page.entries === this.size) this.size = nextSize(this.size, page.size);
    // Which event fills the answer is found where they are told one by one.
    return page.size < room ? page : undefined;
  }

  /** Whether the texts are what the entries say: no filter has a say in their values, and the model knows them. */
  private tells({ kinds, texts }: { kinds: readonly string[]; texts: number }): boolean {
    let values = 0;
    for (const kind of kinds) {
      const told = this.told.get(kind) ?? this.find(kind);
      if (told === 'otherwise') return false;
      if (told === 'value') values += 1;
    }
    return values === texts;
  }

  private find(kind: string): Told {
    const [type, name] = kind.split(' ') as [string, string];
    const aspect = this.model.entities.get(type)?.aspects.get(name);
    const plain = aspect !== undefined && !this.filters.concern(name);
    const told = !plain ? 'otherwise' : aspect.kind === 'timeseries' ? 'nothing' : 'value';
    // A log has few kinds; those that the model does not know are not kept.
    if (aspect !== undefined) this.told.set(kind, told);
    return told;
  }
}

/** What entries of a kind stand for. */
type Told = 'value' | 'nothing' | 'otherwise';

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
