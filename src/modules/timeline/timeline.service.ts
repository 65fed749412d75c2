import { Injectable } from '@nestjs/common';
import type { Operation } from 'fast-json-patch';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson, readJsonInSteps } from '../../catalog/json/index.js';
import type { VersionProperties } from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import {
  currentRequest,
  inSlices,
  inTurns,
  Limiter,
  PortionSize,
  turn,
} from '../../catalog/schedule/index.js';
import {
  AspectValueRepository,
  charactersOf,
  EdgeRepository,
  EntityReader,
  ReadFilters,
  type StoredAspect,
} from '../entities/index.js';
import {
  differences,
  type Category,
  type ChangeEvent,
  type Differ,
  type SemVerChange,
  type Value,
} from './change-event.js';
import { differsFor } from './differs.js';
import { jsonDifference } from './json-difference.js';
import { largest, SemanticVersion } from './semantic-version.js';

/** The aspect of an entity that is a version of something, and the relationship that it makes. */
const OF_VERSION = 'versionProperties';
const VERSION_OF = 'VersionOf';

/** Versions read at a time, the most: a schema may be large. */
const PAGE = 20;

/** Latest values from which on a timeline counts as large: characters. Two versions of them are held, and all that differs. */
const LARGE = 64 * 1024;
/** Large ones that are made at the same time: all take turns, so that more of them would only hold more memory. */
const LARGE_AT_ONCE = 2;

/** What one answer may hold: changes, and characters of their JSON. */
const MAX_CHANGES = 50_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface TimelineQuery {
  urn: string;
  categories: ReadonlySet<Category>;
  /** Epoch milliseconds, both included; open when absent. */
  from: number | undefined;
  to: number | undefined;
  /** Whether the difference of the values comes along. */
  raw: boolean;
  /** Pointer to what of the request could ask for less. */
  narrowedBy: string;
}

/** What changed at one moment. */
export interface ChangeTransaction {
  timestamp: number;
  actor: string;
  /** The version that the entity has from here on, seen through the categories asked for. */
  semVer: string;
  semVerChange: SemVerChange;
  changeEvents: ChangeEvent[];
  /** JSON Patch from the values before to those after; the first part of a path is the aspect. */
  rawDiff?: Operation[];
}

interface Moment {
  stamp: AuditStamp;
  events: ChangeEvent[];
  diff: Operation[];
  /** Whether it is in the range asked for; the others only count for the version. */
  shown: boolean;
  changes: SemVerChange;
}

/** A version of an aspect, the value before it, and what the two differ in. */
interface Step {
  readonly stored: StoredAspect;
  readonly before: Value;
  readonly after: Record<string, unknown>;
  readonly events: ChangeEvent[];
}

/** What was found so far, and how much of it there may be. */
interface Found {
  readonly moments: Map<number, Moment>;
  readonly room: Room;
}

/** Counts what is held until one answer is made. */
class Room {
  private changes = 0;
  private characters = 0;

  /** @param pointer to what of the request could ask for less */
  constructor(private readonly pointer: string) {}

  /** @throws CatalogError PARAMETER_INVALID when it is too much */
  take(changes: number, characters: number): void {
    this.changes += changes;
    this.characters += characters;
    if (this.changes <= MAX_CHANGES && this.characters <= MAX_CHARACTERS) return;
    throw refuse(
      'PARAMETER_INVALID',
      `a timeline has at most ${MAX_CHANGES} changes, and ${MAX_CHARACTERS} characters of them: narrow it by time or categories`,
      this.pointer,
    );
  }
}

/** What happened to an entity, worked out from the difference between the versions of its aspects. */
@Injectable()
export class TimelineService {
  private readonly limiter = new Limiter(LARGE_AT_ONCE);

  constructor(
    private readonly model: Model,
    private readonly reader: EntityReader,
    private readonly values: AspectValueRepository,
    private readonly edges: EdgeRepository,
    private readonly filters: ReadFilters,
  ) {}

  /**
   * Changes in the order of time. An entity that does not exist is an error, one without changes has none.
   * @throws CatalogError PARAMETER_INVALID when there are more than an answer may have
   */
  async timeline(
    principal: Principal,
    query: TimelineQuery,
    room = new Room(query.narrowedBy),
  ): Promise<ChangeTransaction[]> {
    return this.limited(principal, query, (differs, size) => this.changes(query, differs, size, room));
  }

  /**
   * Calls `take` for each version of the schema of a dataset, in their order. Nothing is held of them, so there may be any number.
   */
  async schemaVersions(
    principal: Principal,
    urn: string,
    take: (transaction: ChangeTransaction) => void,
  ): Promise<void> {
    const categories: ReadonlySet<Category> = new Set(['TECHNICAL_SCHEMA']);
    await this.limited(principal, { urn, categories }, async (differsOf, size) => {
      const version = new SemanticVersion();
      let last: Moment | undefined;
      const pass = (moment: Moment | undefined): void => {
        if (moment === undefined) return;
        version.apply(moment.changes);
        take(transactionOf(moment, version));
      };
      for (const [aspect, differs] of differsOf) {
        for await (const { stored, events } of this.steps(urn, aspect, differs, size)) {
          const { time, actor } = stored.created;
          if (last?.stamp.time !== time) {
            pass(last);
            last = { stamp: { time, actor }, events: [], diff: [], shown: true, changes: 'NONE' };
          }
          for (const event of events) last.events.push({ ...event, auditStamp: last.stamp });
          last.changes = largest([last.changes, ...new Set(events.map(({ semVerChange }) => semVerChange))]);
        }
      }
      pass(last);
    });
  }

  /** Runs work on the versions of an entity, of large ones only some at a time. */
  private async limited<T>(
    principal: Principal,
    { urn, categories }: Pick<TimelineQuery, 'urn' | 'categories'>,
    work: (differs: ReadonlyMap<string, readonly Differ[]>, size: PortionSize) => Promise<T>,
  ): Promise<T> {
    const { entityType } = await this.reader.storedOne(principal, urn, { aspects: [] });
    const entity = this.model.entities.get(entityType);
    if (entity === undefined) throw new Error(`the model has no entity ${entityType}, but the store has one`);
    const differs = differsFor(entity, categories);
    // The versions are likely to be as the latest is.
    const latest = await this.reader.stored(principal, [urn], { aspects: [...differs.keys()], inPart: true });
    const characters = charactersOf(latest.values());
    const size = new PortionSize(PAGE);
    size.learn(1, characters);
    if (characters <= LARGE) return work(differs, size);
    return this.limiter.run(() => work(differs, size), currentRequest()?.signal);
  }

  private async changes(
    query: TimelineQuery,
    differsOf: ReadonlyMap<string, readonly Differ[]>,
    size: PortionSize,
    room: Room,
  ): Promise<ChangeTransaction[]> {
    const moments = new Map<number, Moment>();
    for (const [aspect, differs] of differsOf)
      for await (const step of this.steps(query.urn, aspect, differs, size, query.to))
        await this.note(query, aspect, step, { moments, room });
    const version = new SemanticVersion();
    const transactions: ChangeTransaction[] = [];
    for (const moment of [...moments.values()].sort((a, b) => a.stamp.time - b.stamp.time)) {
      version.apply(moment.changes);
      if (!moment.shown) continue;
      transactions.push({
        ...transactionOf(moment, version),
        ...(query.raw && { rawDiff: moment.diff }),
      });
    }
    return transactions;
  }

  /**
   * The changes of an entity and of all other versions in its version set, in the order of time. The semantic version of each is that
   * of the entity that its events name.
   */
  async ofVersions(principal: Principal, query: TimelineQuery): Promise<ChangeTransaction[]> {
    const room = new Room(query.narrowedBy);
    const transactions = await this.timeline(principal, query, room);
    const { aspects } = await this.reader.storedOne(principal, query.urn, { aspects: [OF_VERSION] });
    const stored = aspects.get(OF_VERSION);
    if (stored === undefined) return transactions;
    const { versionSet } = readJson(stored.value) as VersionProperties;
    const members = await this.edges.edges([versionSet], [VERSION_OF], false);
    const others = new Set(members.map(({ source }) => source).filter((urn) => urn !== query.urn));
    for (const urn of await this.reader.tellable(principal, [...others])) {
      transactions.push(...(await this.timeline(principal, { ...query, urn }, room)));
      await turn();
    }
    return transactions.sort((a, b) => a.timestamp - b.timestamp);
  }

  /** The versions of an aspect that differ from the one before, in their order. Only two of them are held at a time. */
  private async *steps(
    urn: string,
    aspect: string,
    differs: readonly Differ[],
    size: PortionSize,
    to = Infinity,
  ): AsyncGenerator<Step> {
    let before: Value;
    let last = 0;
    for (;;) {
      await turn();
      const asked = size.next;
      const page = await this.values.versions(urn, aspect, last, asked);
      size.learn(
        page.length,
        page.reduce((sum, { value }) => sum + value.length, 0),
      );
      for (const stored of await this.shown(urn, page)) {
        if (stored.created.time > to) return;
        // Two versions of thousands of columns take a while.
        const after = (await inTurns(readJsonInSteps(stored.value))) as Record<string, unknown>;
        currentRequest()?.throwIfEnded();
        const events: ChangeEvent[] = [];
        for (const differ of differs)
          for (const event of await inTurns(differences(differ, urn, before, after))) events.push(event);
        if (events.length > 0) yield { stored, before, after, events };
        before = after;
      }
      last = page.at(-1)?.version ?? last;
      if (page.length < asked) return;
    }
  }

  private async note(
    query: TimelineQuery,
    aspect: string,
    { stored: { created, value }, ...change }: Step,
    { moments, room }: Found,
  ): Promise<void> {
    const stamp = { time: created.time, actor: created.actor };
    let moment = moments.get(stamp.time);
    if (moment === undefined) {
      const shown = stamp.time >= (query.from ?? -Infinity);
      moments.set(stamp.time, (moment = { stamp, events: [], diff: [], shown, changes: 'NONE' }));
    }
    moment.changes = largest([
      moment.changes,
      ...new Set(change.events.map(({ semVerChange }) => semVerChange)),
    ]);
    if (!moment.shown) return;
    const { events } = moment;
    await inSlices(change.events, (event) => {
      room.take(1, JSON.stringify(event).length);
      events.push({ ...event, auditStamp: stamp });
    });
    if (!query.raw) return;
    // They hold parts of the value.
    room.take(0, value.length);
    const take = (operation: Operation): void => {
      room.take(1, 0);
      moment.diff.push(operation);
    };
    await inTurns(jsonDifference(change.before ?? {}, change.after, `/${aspect}`, take));
  }

  /** The versions as callers may see them. */
  private async shown(urn: string, page: readonly StoredAspect[]): Promise<StoredAspect[]> {
    const shown: Array<StoredAspect | undefined> = [...page];
    await this.filters.apply(
      page.map((aspect, i) => ({ urn, aspect, set: (next) => void (shown[i] = next) })),
    );
    return shown.filter((aspect) => aspect !== undefined);
  }
}

function transactionOf(
  { stamp, events, changes }: Moment,
  version: SemanticVersion,
): Omit<ChangeTransaction, 'rawDiff'> {
  return {
    timestamp: stamp.time,
    actor: stamp.actor,
    semVer: version.toString(),
    semVerChange: changes,
    changeEvents: events,
  };
}
