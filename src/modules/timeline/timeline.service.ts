import { Injectable } from '@nestjs/common';
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { VersionProperties } from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { currentRequest, inSlices, Limiter, turn } from '../../catalog/schedule/index.js';
import {
  AspectValueRepository,
  charactersOf,
  EdgeRepository,
  EntityReader,
  ReadFilters,
  type StoredAspect,
} from '../entities/index.js';
import type { Category, ChangeEvent, Differ, SemVerChange, Value } from './change-event.js';
import { differsFor } from './differs.js';
import { largest, SemanticVersion } from './semantic-version.js';

/** The aspect of an entity that is a version of something, and the relationship that it makes. */
const OF_VERSION = 'versionProperties';
const VERSION_OF = 'VersionOf';

/** Versions read at a time; a schema may be large. */
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

/** What was found so far, and how much of it there may be. */
interface Found {
  readonly moments: Map<number, Moment>;
  readonly room: Room;
}

/** Counts what is held until one answer is made. */
class Room {
  private changes = 0;
  private characters = 0;

  /** @throws CatalogError PARAMETER_INVALID when it is too much */
  take(changes: number, characters: number): void {
    this.changes += changes;
    this.characters += characters;
    if (this.changes <= MAX_CHANGES && this.characters <= MAX_CHARACTERS) return;
    throw refuse(
      'PARAMETER_INVALID',
      `a timeline has at most ${MAX_CHANGES} changes, and ${MAX_CHARACTERS} characters of them: narrow it by time or categories`,
      '/startTime',
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
    room = new Room(),
  ): Promise<ChangeTransaction[]> {
    const { entityType } = await this.reader.storedOne(principal, query.urn, { aspects: [] });
    const entity = this.model.entities.get(entityType);
    if (entity === undefined) throw new Error(`the model has no entity ${entityType}, but the store has one`);
    const differs = differsFor(entity, query.categories);
    const work = () => this.changes(query, differs, room);
    const isLarge = await this.isLarge(principal, query.urn, [...differs.keys()]);
    return isLarge ? this.limiter.run(work, currentRequest()?.signal) : work();
  }

  /** Whether the versions are likely to be: by the latest. */
  private async isLarge(principal: Principal, urn: string, aspects: readonly string[]): Promise<boolean> {
    const found = await this.reader.stored(principal, [urn], { aspects, inPart: true });
    return charactersOf(found.values()) > LARGE;
  }

  private async changes(
    query: TimelineQuery,
    differsOf: ReadonlyMap<string, readonly Differ[]>,
    room: Room,
  ): Promise<ChangeTransaction[]> {
    const moments = new Map<number, Moment>();
    for (const [aspect, differs] of differsOf) await this.follow(query, aspect, differs, { moments, room });
    const version = new SemanticVersion();
    const transactions: ChangeTransaction[] = [];
    for (const [timestamp, moment] of [...moments].sort(([a], [b]) => a - b)) {
      version.apply(moment.changes);
      if (!moment.shown) continue;
      transactions.push({
        timestamp,
        actor: moment.stamp.actor,
        semVer: version.toString(),
        semVerChange: moment.changes,
        changeEvents: moment.events,
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
    const room = new Room();
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

  /** Adds what the versions of one aspect say. Only two of them are held at a time. */
  private async follow(
    query: TimelineQuery,
    aspect: string,
    differs: readonly Differ[],
    found: Found,
  ): Promise<void> {
    let before: Value;
    let last = 0;
    for (;;) {
      await turn();
      const page = await this.values.versions(query.urn, aspect, last, PAGE);
      for (const stored of await this.shown(query.urn, page)) {
        if (stored.created.time > (query.to ?? Infinity)) return;
        // Two versions of thousands of columns take a while.
        await turn();
        currentRequest()?.throwIfEnded();
        const after = readJson(stored.value) as Record<string, unknown>;
        const events: ChangeEvent[] = [];
        for (const differ of differs) {
          await turn();
          for (const event of differ.diff(query.urn, before, after)) events.push(event);
        }
        if (events.length > 0) await this.note(query, aspect, stored, { before, after, events }, found);
        before = after;
      }
      last = page.at(-1)?.version ?? last;
      if (page.length < PAGE) return;
    }
  }

  private async note(
    query: TimelineQuery,
    aspect: string,
    { created, value }: StoredAspect,
    change: { before: Value; after: Record<string, unknown>; events: ChangeEvent[] },
    { moments, room }: Found,
  ): Promise<void> {
    const stamp = { time: created.time, actor: created.actor };
    let moment = moments.get(stamp.time);
    if (moment === undefined) {
      const shown = stamp.time >= (query.from ?? -Infinity);
      moments.set(stamp.time, (moment = { stamp, events: [], diff: [], shown, changes: 'NONE' }));
    }
    for (const { semVerChange } of change.events) moment.changes = largest([moment.changes, semVerChange]);
    if (!moment.shown) return;
    const { events } = moment;
    await inSlices(change.events, (event) => {
      room.take(1, JSON.stringify(event).length);
      events.push({ ...event, auditStamp: stamp });
    });
    if (!query.raw) return;
    await turn();
    const operations = jsonPatch.compare(change.before ?? {}, change.after);
    // They hold parts of the value.
    room.take(operations.length, value.length);
    for (const operation of operations) {
      moment.diff.push({ ...operation, path: `/${aspect}${operation.path}` });
    }
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
