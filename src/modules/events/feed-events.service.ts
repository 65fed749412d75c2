import { setImmediate as nextRound } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { Model, type AspectSpec, type EntitySpec } from '../../catalog/model/index.js';
import { atOnce, eachInSteps, inTurns, type Steps } from '../../catalog/schedule/index.js';
import {
  ChangeFeed,
  cursorBehind,
  keyOf,
  type ChangeSubject,
  type FeedCursor,
  type FeedEntry,
} from '../change-log/index.js';
import { EntityReader, ReadFilters, type ShownAspect } from '../entities/index.js';
import { isLargeChange, type ChangedAspect, type SeenValue } from './derive/changed-aspect.js';
import { entityChanges, tellsChanges } from './derive/entity-changes.js';
import { HELD_IN_PARTS, withRemoved, type StoredChange } from './derive/hidden-removals.js';
import { metadataChangeLog } from './derive/metadata-change-log.js';
import { relationshipChanges } from './derive/relationship-changes.js';
import { isIn, wantsEntry, type EventFilter } from './event-filter.js';
import type { Topic } from './topics.js';

/** Entries of the log that are read at a time, and by one call: a filter may pass over most of them. */
const PAGE = 1_000;
export const SCAN = 10_000;
/** Bytes of events after which an answer is full, and of values that are read at a time. */
export const FULL = 4 * 1024 * 1024;
export const LEAST_VALUES = 16;

/** One event of a topic. */
export interface FeedEvent {
  /** JSON text. */
  readonly value: string;
  /** The cursor behind it. */
  readonly cursor: FeedCursor;
}

export interface FeedEvents {
  readonly events: readonly FeedEvent[];
  /** Where to go on: behind the last event, or behind what the filter passed over. */
  readonly cursor: FeedCursor;
  /** The last entry that was looked at; the cursor may be inside of it. */
  readonly through: FeedCursor;
  /** Whether the log has entries that were not looked at. */
  readonly more: boolean;
  /** Whether the same cursor shows the same values at any time: no filter had a say in them. */
  readonly final: boolean;
}

export interface FeedQuery {
  readonly topic: Topic;
  readonly filter: EventFilter;
  readonly cursor: FeedCursor;
  readonly limit: number;
}

/** An entry that may stand for events. */
interface Candidate {
  readonly entry: FeedEntry;
  readonly entity: EntitySpec;
  readonly aspect: AspectSpec;
}

/** Makes the events of a topic out of the change log. The same cursor and filter always give the same events. */
@Injectable()
export class FeedEventsService {
  /** Values that are read at a time: those of one log resemble each other. */
  private values = LEAST_VALUES;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly filters: ReadFilters,
    private readonly reader: EntityReader,
    private readonly model: Model,
  ) {}

  /**
   * @param room bytes of events after which the answer is full
   * @throws CatalogError NOT_ALLOWED, CURSOR_EXPIRED
   */
  async read(principal: Principal, query: FeedQuery, room = FULL): Promise<FeedEvents> {
    authorize(principal, 'read');
    const answer = new Answer(query, room);
    const valued = wantsAllValues(query);
    let size = Math.min(query.limit, valued ? this.values : PAGE);
    for (let scanned = 0; scanned < SCAN; scanned += size) {
      const { entries, more } = await this.feed.after(answer.read, size, valued);
      await this.readPage(principal, query, entries, answer, valued ? PAGE : LEAST_VALUES);
      if (valued && entries.length === size) this.values = nextSize(size, answer.lastRead);
      if (!more || answer.isFull) return answer.result(more || answer.isFull);
      // Without values few of the entries were wanted.
      size = valued ? Math.min(this.values, query.limit - answer.count) : PAGE;
      await nextRound();
    }
    return answer.result(true);
  }

  /** @param size of the values that are read at first: they may be large, and more are read while they prove to be small */
  private async readPage(
    principal: Principal,
    query: FeedQuery,
    entries: readonly FeedEntry[],
    answer: Answer,
    size: number,
  ): Promise<void> {
    const candidates = new Map<FeedEntry, Candidate>();
    const told = await this.tellable(principal, entries, answer);
    for (const entry of entries) {
      if (told?.has(entry.urn) === false) continue;
      const specs = this.specsOf(query, entry);
      if (specs !== undefined) candidates.set(entry, { entry, ...specs });
    }
    for (let from = 0; from < entries.length && !answer.isFull;) {
      const some = entries.slice(from, from + size);
      const wanted = some.flatMap((entry) => candidates.get(entry) ?? []);
      const changes = await this.changes(query, wanted, answer);
      answer.lastRead = 0;
      for (const entry of some) {
        const change = changes.get(entry);
        if (change === undefined) answer.add(entry, []);
        else {
          const steps = this.eventsOf(query, change);
          answer.add(entry, isLargeChange(change) ? await inTurns(steps) : atOnce(steps));
        }
        if (answer.isFull) return;
      }
      from += some.length;
      size = nextSize(size, answer.lastRead);
    }
  }

  /**
   * The entities that a caller may be told of who may not read all; undefined for all. Those that are gone are not told of:
   * what they were is not known any more.
   */
  private tellable(
    principal: Principal,
    entries: readonly FeedEntry[],
    answer: Answer,
  ): Promise<ReadonlySet<string>> | undefined {
    if (!readsInPart(principal)) return undefined;
    // The next caller may read something else, and this one something else later.
    answer.final = false;
    return this.reader.tellable(
      principal,
      entries.map(({ urn }) => urn),
    );
  }

  /** Whether an entry may stand for events that a reader wants. */
  wants(query: Pick<FeedQuery, 'topic' | 'filter'>, change: ChangeSubject): boolean {
    return this.specsOf(query, change) !== undefined;
  }

  /** What an entry may stand for in a topic; undefined for nothing. */
  private specsOf(
    { topic, filter }: Pick<FeedQuery, 'topic' | 'filter'>,
    entry: ChangeSubject,
  ): Pick<Candidate, 'entity' | 'aspect'> | undefined {
    const entity = this.model.entities.get(entry.entityType);
    const aspect = entity?.aspects.get(entry.aspect);
    if (entity === undefined || aspect === undefined || !wantsEntry(filter, entry)) return undefined;
    const timeseries = aspect.kind === 'timeseries';
    const wanted =
      topic === 'PlatformEvent_v1'
        ? tellsChanges(entity, aspect.name) || aspect.relationships.length > 0
        : timeseries === (topic === 'MetadataChangeLog_Timeseries_v1');
    return wanted ? { entity, aspect } : undefined;
  }

  private *eventsOf({ topic, filter }: FeedQuery, change: ChangedAspect): Steps<string[]> {
    if (topic !== 'PlatformEvent_v1') return [metadataChangeLog(change)];
    const { categories } = filter;
    const told: string[] = [];
    yield* eachInSteps(yield* entityChanges(change), (event) => {
      if (isIn(categories, event.category)) told.push(platformEvent(change, 'entityChangeEvent', event));
    });
    if (!isIn(categories, 'RELATIONSHIP')) return told;
    yield* eachInSteps(yield* relationshipChanges(change), (event) =>
      told.push(platformEvent(change, 'relationshipChangeEvent', event)),
    );
    return told;
  }

  /** The candidates with the values that readers may see. */
  private async changes(
    { topic }: FeedQuery,
    candidates: readonly Candidate[],
    answer: Answer,
  ): Promise<Map<FeedEntry, ChangedAspect>> {
    const platform = topic === 'PlatformEvent_v1';
    // Platform events of a key tell of the life of its entity alone.
    const valued = candidates
      .filter(({ aspect, entity }) => aspect.kind === 'versioned' && !(platform && aspect === entity.key))
      .map(({ entry }) => entry);
    const unread = valued.filter((entry) => entry.versionAfter > 0 && entry.latest === undefined);
    const latest = await this.feed.latest(unread.map(({ position }) => position));
    const values = await this.feed.values([
      ...valued.filter((entry) => entry.versionBefore > 0).map(before),
      ...unread.filter((entry) => !latest.has(entry.position)).map(after),
    ]);
    const changed = new Map<FeedEntry, Mutable<ChangedAspect>>();
    const shown: ShownAspect[] = [];
    const inParts: Array<readonly [Mutable<ChangedAspect>, StoredChange]> = [];
    const see = (
      entry: FeedEntry,
      name: string,
      value: NonNullable<FeedEntry['latest']>,
      set: (seen?: SeenValue) => void,
    ) => {
      set(seenOf(value));
      if (!this.filters.concern(name)) return;
      const { versionAfter: version, time, actor } = entry;
      const aspect = { name, version, created: { time, actor }, ...value };
      shown.push({ urn: entry.urn, aspect, set: (next) => set(next && seenOf(next)) });
    };
    for (const { entry, entity, aspect } of candidates) {
      const change = withoutValues({ entry, entity, aspect });
      changed.set(entry, change);
      const then = entry.versionBefore > 0 ? values.get(keyOf(before(entry))) : undefined;
      const now =
        entry.latest ??
        latest.get(entry.position) ??
        (entry.versionAfter > 0 ? values.get(keyOf(after(entry))) : undefined);
      if (then !== undefined) see(entry, aspect.name, then, (seen) => (change.before = seen));
      if (now !== undefined) see(entry, aspect.name, now, (seen) => (change.after = seen));
      if (platform && aspect.name === HELD_IN_PARTS && then !== undefined)
        inParts.push([change, { then: then.value, now: now?.value }]);
      if (!platform || aspect !== entity.key || entry.versionAfter > 0) continue;
      const deleted = new Map<string, SeenValue>();
      change.deleted = deleted;
      for (const value of await this.feed.deletedWith(entry)) {
        see(entry, value.aspect, value, (seen) => {
          if (seen === undefined) deleted.delete(value.aspect);
          else deleted.set(value.aspect, seen);
        });
      }
    }
    if (shown.length > 0) answer.final = false;
    await this.filters.apply(shown);
    for (const [change, stored] of inParts) change.before = withRemoved(change.before, stored);
    return changed;
  }
}

const NONE: ReadonlyMap<string, SeenValue> = new Map();

/** A change before its values are read; an event brings its own. */
const withoutValues = ({ entry, entity, aspect }: Candidate): Mutable<ChangedAspect> => ({
  entry,
  entity,
  aspect,
  before: undefined,
  after: entry.event === null ? undefined : eventValue(entry.event),
  deleted: NONE,
});

const seenOf = ({ value, systemMetadata }: NonNullable<FeedEntry['latest']>): SeenValue => ({
  text: value,
  systemMetadata,
});

/** Whether every entry of a versioned aspect is wanted: the values of all entries then come with them. */
export function wantsAllValues({ topic, filter: { entityTypes, aspects, urns } }: FeedQuery): boolean {
  return (
    topic === 'MetadataChangeLog_Versioned_v1' && entityTypes.length + aspects.length + urns.length === 0
  );
}

/** Values to read next: more while they prove to be small. @param lastRead bytes of the last ones */
export function nextSize(size: number, lastRead: number): number {
  if (lastRead > FULL / 4) return LEAST_VALUES;
  return lastRead < FULL / 16 ? Math.min(2 * size, PAGE) : size;
}

/** The version before a change, and the one after it. */
const before = (entry: FeedEntry) => ({ ...entry, version: entry.versionBefore });
const after = (entry: FeedEntry) => ({ ...entry, version: entry.versionAfter });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Collects events until there are enough of them. */
class Answer {
  private readonly events: FeedEvent[] = [];
  private size = 0;
  /** Behind the last entry whose events are all in the answer. */
  private behind: FeedCursor;
  private inside: number;
  private through: FeedCursor;
  /** Bytes of the events since this was set to 0. */
  lastRead = 0;
  final = true;

  constructor(
    private readonly query: FeedQuery,
    private readonly room: number,
  ) {
    this.through = this.behind = { ...query.cursor, skip: 0 };
    this.inside = query.cursor.skip;
  }

  /** Where the log is to be read on. */
  get read(): FeedCursor {
    return this.behind;
  }

  get count(): number {
    return this.events.length;
  }

  get isFull(): boolean {
    return this.events.length >= this.query.limit || this.size >= this.room;
  }

  /** Adds what an entry stands for, as far as there is room. */
  add(entry: FeedEntry, values: readonly string[]): void {
    const [first, behind, place] = [this.inside, this.behind, cursorBehind(entry)];
    this.inside = 0;
    this.through = place;
    for (let i = first; i < values.length; i += 1) {
      const value = values[i]!;
      const last = i === values.length - 1;
      const cursor = last ? place : { ...behind, skip: i + 1 };
      this.events.push({ value, cursor });
      const bytes = Buffer.byteLength(value);
      this.size += bytes;
      this.lastRead += bytes;
      if (!last && this.isFull) {
        this.inside = i + 1;
        return;
      }
    }
    this.behind = place;
  }

  result(more: boolean): FeedEvents {
    const { events, behind, inside: skip, through, final } = this;
    return { events, cursor: { ...behind, skip }, through, more, final };
  }
}

/** The value of a time-series event, out of the log. */
function eventValue(text: string): SeenValue {
  const { value, systemMetadata } = readJson(text) as Record<'value' | 'systemMetadata', unknown>;
  return { text: JSON.stringify(value), systemMetadata: JSON.stringify(systemMetadata) };
}

/** The JSON text of an event of the topic `PlatformEvent_v1`. */
function platformEvent({ entry }: ChangedAspect, name: string, event: object): string {
  return JSON.stringify({
    header: { timestampMillis: entry.time },
    name,
    payload: { contentType: 'application/json', value: JSON.stringify(event) },
  });
}
