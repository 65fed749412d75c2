import { Injectable } from '@nestjs/common';
import type { ChangeLogEntry } from '../../catalog/change/index.js';
import { FIRST_CHANGES } from '../../catalog/pending-work/index.js';
import { columnsOf, Database, type SqlReader } from '../../catalog/store/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { DeletedVersionRow } from './entities/deleted-version.row.js';
import type { AspectRow, EntityRow } from '../entities/index.js';
import { placeOf, type LogPlace } from './log-moment.query.js';
import { GONE, PrintedEntriesQuery, type EntryTexts, type PrintedEntries } from './printed-entries.query.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');

/** One published change. */
export interface FeedEntry extends LogPlace, Omit<ChangeLogEntry, 'id' | 'runId'> {
  /** JSON text `{value, systemMetadata}` of a time-series event. */
  event: string | null;
  /** The value after it, where it was read along and is still the latest of the same life of the entity. */
  latest?: Pick<ValueVersion, 'value' | 'systemMetadata'> | undefined;
}

/** What an entry is about, and where it stands. */
export type FeedHeading = LogPlace & Pick<FeedEntry, 'urn' | 'entityType' | 'aspect'>;

/** One value of an aspect, as it was written. */
export interface ValueVersion {
  /** JSON text. */
  readonly value: string;
  /** JSON text. */
  readonly systemMetadata: string;
  readonly version: number;
  readonly created: { readonly time: number; readonly actor: string };
}

/** A value that an entry names: the version before or after it. */
export type VersionKey = Pick<FeedEntry, 'entityId' | 'aspect' | 'sequence'> & { version: number };

/** A value that went with its entity. */
export interface DeletedValue extends ValueVersion {
  readonly aspect: string;
}

type Stamp = Pick<ChangeLogRow, 'position' | 'time'>;
type VersionRow = Pick<
  DeletedVersionRow,
  'entity_id' | 'aspect' | 'version' | 'value' | 'system_metadata' | 'created_at' | 'created_by'
>;
type DeletionKey = Pick<DeletedVersionRow, 'entity_id' | 'aspect' | 'sequence' | 'version'>;

const VERSION = 'entity_id, aspect, version, value, system_metadata, created_at, created_by';

const ENTRY = `${c.position} AS position, ${c.entity_id} AS entityId, ${e.urn} AS urn, ${e.type} AS entityType, ${c.sequence} AS sequence,
  ${c.aspect} AS aspect, ${c.change_type} AS changeType, ${c.version_before} AS versionBefore, ${c.version_after} AS versionAfter,
  ${c.actor} AS actor, ${c.time} AS time, ${c.event} AS event`;

/** The value after a change is the latest one, and of the same life of the entity. */
const LATEST = `${a.entity_id} = ${c.entity_id} AND ${a.aspect} = ${c.aspect} AND ${a.version} = ${c.version_after} AND NOT (${GONE})`;

/** Reads the published part of the change log, with the values that its entries name. */
@Injectable()
export class ChangeFeedRepository {
  private readonly printer: PrintedEntriesQuery;

  constructor(private readonly database: Database) {
    this.printer = new PrintedEntriesQuery(database);
  }

  /** Entries from a position on, that one included, in order. */
  async from(position: number, limit: number): Promise<FeedEntry[]> {
    const rows = await this.database.all<FeedEntry>(
      `SELECT ${ENTRY} FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE ${c.position} >= ? ORDER BY ${c.position} LIMIT ?`,
      [Math.max(1, position), limit],
    );
    return rows.map((row) => entryOf(row));
  }

  /** {@link from}, with what an entry is about alone. */
  async headings(position: number, limit: number): Promise<FeedHeading[]> {
    const rows = await this.database.all<FeedHeading>(
      `SELECT ${c.position} AS position, ${c.entity_id} AS entityId, ${c.sequence} AS sequence, ${c.time} AS time,
         ${e.urn} AS urn, ${e.type} AS entityType, ${c.aspect} AS aspect
       FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE ${c.position} >= ? ORDER BY ${c.position} LIMIT ?`,
      [Math.max(1, position), limit],
    );
    return rows.map(headingOf);
  }

  /** What cursors behind entries are made of; those that the log does not have are left out. */
  async places(positions: readonly number[]): Promise<LogPlace[]> {
    const wanted = this.database.dialect.in('position', positions);
    const rows = await this.database.all<LogPlace>(
      `SELECT position, entity_id AS entityId, sequence, time FROM change_log WHERE ${wanted.sql}`,
      wanted.params,
    );
    return rows.map(placeOf);
  }

  /** {@link from} with the values after the changes: one statement costs half of what two cost. */
  async fromWithValues(position: number, limit: number): Promise<FeedEntry[]> {
    const rows = await this.database.all<FeedEntry & { value: string | null; systemMetadata: string }>(
      `SELECT ${ENTRY}, ${a.value} AS value, ${a.system_metadata} AS systemMetadata
       FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
       LEFT JOIN aspect a ON ${LATEST}
       WHERE ${c.position} >= ? ORDER BY ${c.position} LIMIT ?`,
      [Math.max(1, position), limit],
    );
    return rows.map((row) => {
      const { value, systemMetadata } = row;
      return entryOf(row, value === null ? undefined : { value, systemMetadata });
    });
  }

  /**
   * The texts of the entries after a position; undefined where one of them names values that went with its entity.
   * @param aside no request waits for them
   */
  printed(
    position: number,
    limit: number,
    made: EntryTexts,
    aside: boolean,
  ): Promise<PrintedEntries | undefined> {
    return this.printer.read(position, limit, made, aside);
  }

  /**
   * The values after changes, by their positions: those that are still the latest of the same life of the entity, which
   * are most.
   */
  async latest(positions: readonly number[]): Promise<Map<number, ValueVersion>> {
    if (positions.length === 0) return new Map();
    const wanted = this.database.dialect.in(c.position, positions);
    const rows = await this.database.all<VersionRow & Pick<ChangeLogRow, 'position'>>(
      `SELECT ${c.position} AS position, ${a.version} AS version, ${a.value} AS value, ${a.system_metadata} AS system_metadata,
         ${a.created_at} AS created_at, ${a.created_by} AS created_by
       FROM change_log c JOIN aspect a ON ${LATEST} WHERE ${wanted.sql}`,
      wanted.params,
    );
    return new Map(rows.map((row) => [Number(row.position), valueOf(row)]));
  }

  /** The highest position; 0 while nothing was published. */
  async newest(): Promise<number> {
    const [row] = await this.database.all<Pick<ChangeLogRow, 'position'>>(
      'SELECT position FROM change_log ORDER BY position DESC LIMIT 1',
    );
    return Number(row?.position ?? 0);
  }

  /** The number of the newest change; 0 while there is none. */
  async lastCommitted(): Promise<number> {
    const [row] = await this.database.all<{ last: number | null }>('SELECT MAX(id) AS last FROM change_log');
    return Number(row?.last ?? 0);
  }

  /** The number of the oldest change without a position; Infinity when all have one. */
  async firstUnpublished(): Promise<number> {
    const [row] = await this.database.all<Pick<ChangeLogRow, 'id'>>(
      'SELECT id FROM change_log WHERE position = 0 ORDER BY id LIMIT 1',
    );
    return row === undefined ? Infinity : Number(row.id);
  }

  /** The position before the first change that a consumer has not consumed, as far as `newest` at the most. */
  async consumedBy(consumer: string, newest: number): Promise<number> {
    // The first change of a job has its lowest position, but not the job of the lowest number the lowest of all.
    const [row] = await this.database.all<{ position: number | null }>(
      `SELECT MIN(${c.position}) AS position FROM change_log c WHERE ${c.id} IN ${FIRST_CHANGES}`,
      [consumer],
    );
    const pending = row?.position ?? undefined;
    return pending === undefined ? newest : Math.min(newest, Number(pending) - 1);
  }

  /** The lowest position that retention has left, and its time; undefined while nothing was published. */
  async oldest(): Promise<Stamp | undefined> {
    const [row] = await this.database.all<Stamp>(
      'SELECT position, time FROM change_log WHERE position > 0 ORDER BY position LIMIT 1',
    );
    return row && { position: Number(row.position), time: Number(row.time) };
  }

  /**
   * The position before the first change of a time. Positions follow the commits, whose times differ from that order by
   * no more than the clocks of the processes do.
   */
  async before(time: number): Promise<number> {
    const oldest = await this.oldest();
    if (oldest === undefined) return 0;
    // Of [low, high), the first whose time is not before it.
    let [low, high] = [oldest.position, (await this.newest()) + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = await this.database.all<Pick<ChangeLogRow, 'time'>>(
        'SELECT time FROM change_log WHERE position = ?',
        [middle],
      );
      if (row === undefined || Number(row.time) < time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The values of some versions; the key of one is made by {@link keyOf}. Those that no table has are left out. */
  async values(keys: readonly VersionKey[]): Promise<Map<string, ValueVersion>> {
    const found = await this.look(keys);
    const missing = keys.filter((key) => !found.has(keyOf(key)));
    if (missing.length === 0) return found;
    // One that was deleted between two reads is found by the next.
    return new Map([...found, ...(await this.look(missing))]);
  }

  private async look(keys: readonly VersionKey[]): Promise<Map<string, ValueVersion>> {
    const found = new Map<string, ValueVersion>();
    if (keys.length === 0) return found;
    const deletions = await this.deletionsOf(keys);
    const deleted: Array<{ key: VersionKey; sequence: number }> = [];
    const current: VersionKey[] = [];
    for (const key of keys) {
      const sequence = deletions.get(lifeOf(key))?.find((s) => s >= key.sequence);
      if (sequence === undefined) current.push(key);
      else deleted.push({ key, sequence });
    }
    await this.readDeleted(deleted, found);
    await this.readCurrent(current, found);
    return found;
  }

  /** What an entity had when it was deleted: the latest value of each aspect. */
  async deletedWith(entityId: number, sequence: number): Promise<DeletedValue[]> {
    const rows = await this.database.all<VersionRow>(
      `SELECT ${VERSION} FROM deleted_version WHERE entity_id = ? AND sequence = ? ORDER BY aspect, version`,
      [entityId, sequence],
    );
    const latest = new Map(rows.map((row) => [row.aspect, { aspect: row.aspect, ...valueOf(row) }]));
    return [...latest.values()];
  }

  /** The deletions after each version, earliest first, by entity, aspect and version. */
  private async deletionsOf(keys: readonly VersionKey[]): Promise<Map<string, number[]>> {
    const found = new Map<string, number[]>();
    const [any] = await this.database.all('SELECT 1 FROM deleted_version LIMIT 1');
    if (any === undefined) return found;
    const ids = this.database.dialect.in('entity_id', [...new Set(keys.map(({ entityId }) => entityId))]);
    const rows = await this.database.all<DeletionKey>(
      `SELECT entity_id, aspect, sequence, version FROM deleted_version
       WHERE ${ids.sql} AND sequence >= ? ORDER BY sequence`,
      [...ids.params, Math.min(...keys.map(({ sequence }) => sequence))],
    );
    for (const { entity_id, aspect, sequence, version } of rows) {
      const life = lifeOf({ entityId: Number(entity_id), aspect, version: Number(version) });
      found.set(life, [...(found.get(life) ?? []), Number(sequence)]);
    }
    return found;
  }

  private async readDeleted(
    deleted: ReadonlyArray<{ key: VersionKey; sequence: number }>,
    found: Map<string, ValueVersion>,
  ): Promise<void> {
    if (deleted.length === 0) return;
    const wanted = this.database.dialect.inRows(
      ['entity_id', 'aspect', 'sequence', 'version'],
      deleted.map(({ key, sequence }) => [key.entityId, key.aspect, sequence, key.version]),
    );
    const rows = await this.database.all<VersionRow & DeletionKey>(
      `SELECT ${VERSION}, sequence FROM deleted_version WHERE ${wanted.sql}`,
      wanted.params,
    );
    const bySequence = new Map(
      rows.map((row) => [`${row.entity_id} ${row.aspect} ${row.version} ${row.sequence}`, valueOf(row)]),
    );
    for (const { key, sequence } of deleted) {
      const value = bySequence.get(`${lifeOf(key)} ${sequence}`);
      if (value !== undefined) found.set(keyOf(key), value);
    }
  }

  private async readCurrent(keys: readonly VersionKey[], found: Map<string, ValueVersion>): Promise<void> {
    const unread = new Map<string, VersionKey[]>();
    for (const key of keys) {
      const life = lifeOf(key);
      unread.set(life, [...(unread.get(life) ?? []), key]);
    }
    // The latest value of most entities is the one that is asked for.
    for (const table of ['aspect', 'aspect_history']) {
      if (unread.size === 0) return;
      const wanted = this.database.dialect.inRows(
        ['entity_id', 'aspect', 'version'],
        [...unread.values()].map(([key]) => [key!.entityId, key!.aspect, key!.version]),
      );
      const rows = await readVersions(this.database, table, wanted);
      for (const row of rows) {
        const life = `${row.entity_id} ${row.aspect} ${row.version}`;
        for (const key of unread.get(life) ?? []) found.set(keyOf(key), valueOf(row));
        unread.delete(life);
      }
    }
  }
}

/** Servers may answer numbers as texts. */
export function headingOf({ urn, entityType, aspect, ...place }: FeedHeading): FeedHeading {
  return { ...placeOf(place), urn, entityType, aspect };
}

/** What a value is found under. */
export function keyOf(key: VersionKey): string {
  return `${lifeOf(key)} ${key.sequence}`;
}

function lifeOf({ entityId, aspect, version }: Omit<VersionKey, 'sequence'>): string {
  return `${entityId} ${aspect} ${version}`;
}

function readVersions(
  reader: SqlReader,
  table: string,
  { sql, params }: { sql: string; params: Parameters<SqlReader['all']>[1] },
): Promise<VersionRow[]> {
  return reader.all<VersionRow>(`SELECT ${VERSION} FROM ${table} WHERE ${sql}`, params);
}

function entryOf(row: FeedEntry, latest?: FeedEntry['latest']): FeedEntry {
  return {
    position: Number(row.position),
    entityId: Number(row.entityId),
    urn: row.urn,
    entityType: row.entityType,
    sequence: Number(row.sequence),
    aspect: row.aspect,
    changeType: row.changeType,
    versionBefore: Number(row.versionBefore),
    versionAfter: Number(row.versionAfter),
    actor: row.actor,
    time: Number(row.time),
    event: row.event,
    latest,
  };
}

function valueOf(row: VersionRow): ValueVersion {
  return {
    value: row.value,
    systemMetadata: row.system_metadata,
    version: Number(row.version),
    created: { time: Number(row.created_at), actor: row.created_by },
  };
}
