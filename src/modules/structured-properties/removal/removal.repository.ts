import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlReader } from '../../../catalog/store/index.js';
import type { Edge } from '../../ingest/index.js';
import { VALUES_ASPECT } from '../entities/property-definition.js';
import type { PropertyRemovalRow, RemovalReason, RemovalState } from '../entities/property-removal.row.js';
import type { AspectRow, EntityRow } from '../../entities/index.js';

const e = columnsOf<EntityRow>('e');
const s = columnsOf<EntityRow>('s');
const v = columnsOf<AspectRow>('v');
const t = columnsOf<EntityRow>('t');

/** The name of the relationship between an entity and the properties it has values of. */
const HOLDS = 'HasStructuredProperty';

/** The removal of values that a change made unreadable; times are epoch milliseconds, 0 = not yet. */
export interface Removal {
  /** The change of the log that asked for it. */
  changeId: number;
  property: string;
  /** Number of the head of the property. */
  entityId: number;
  reason: RemovalReason;
  state: RemovalState;
  /** Entities that had values to remove when the removal began, and how many holders have been looked at. */
  total: number;
  done: number;
  /** Entities that lost values; while it runs, as far as it was written down. At the end it is counted. */
  removed: number;
  /** Where it goes on: the number of the last holder looked at. */
  lastHolder: number;
  requestedAt: number;
  startedAt: number;
  finishedAt: number;
}

/** The values of an entity, as they are stored. */
export interface StoredValues {
  /** Number of its head. */
  id: number;
  value: string;
}

/** An entity that has, or had, values of a property. */
export interface Holder {
  id: number;
  urn: string;
  type: string;
}

/** Its values as stored. */
export interface HeldValues extends Holder {
  value: string;
  version: number;
  systemMetadata: string;
}

const COLUMNS = `r.change_id AS changeId, ${e.urn} AS property, r.entity_id AS entityId, r.reason, r.state, r.total,
  r.done, r.removed, r.last_holder AS lastHolder, r.requested_at AS requestedAt, r.started_at AS startedAt,
  r.finished_at AS finishedAt`;

/** The records of removals, and who holds values of a property. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly database: Database) {}

  /** Writes down that values are to be removed. Again for the same change: nothing. */
  async request(changeId: number, property: string, reason: RemovalReason, now: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [head] = await tx.all<{ id: number }>(`SELECT ${e.id} AS id FROM entity e WHERE ${e.urn} = ?`, [
        property,
      ]);
      if (head === undefined) return;
      await tx.insert<PropertyRemovalRow>(
        'property_removal',
        [
          'change_id',
          'entity_id',
          'reason',
          'state',
          'total',
          'done',
          'removed',
          'last_holder',
          'requested_at',
          'started_at',
          'finished_at',
        ],
        [[changeId, head.id, reason, 'waiting', 0, 0, 0, 0, now, 0, 0]],
        { key: ['change_id'], then: 'ignore' },
      );
    });
  }

  async find(changeId: number): Promise<Removal | undefined> {
    const [found] = await this.select('WHERE r.change_id = ?', [changeId]);
    return found;
  }

  /** Those that are not done, the oldest first. */
  open(): Promise<Removal[]> {
    return this.select(`WHERE r.state <> 'done' ORDER BY r.change_id`, []);
  }

  /** The newest ones, of one property or of all. */
  newest(limit: number, property?: string): Promise<Removal[]> {
    return property === undefined
      ? this.select('ORDER BY r.change_id DESC LIMIT ?', [limit])
      : this.select(`WHERE ${e.urn} = ? ORDER BY r.change_id DESC LIMIT ?`, [property, limit]);
  }

  /** Writes how far a removal is. What is lost of this with the power is done again, which changes nothing. */
  async save({ changeId, ...r }: Removal): Promise<void> {
    await this.database.transaction(
      (tx) =>
        tx.run(
          `UPDATE property_removal SET state = ?, total = ?, done = ?, removed = ?, last_holder = ?, started_at = ?,
             finished_at = ? WHERE change_id = ?`,
          [r.state, r.total, r.done, r.removed, r.lastHolder, r.startedAt, r.finishedAt, changeId],
        ),
      { survives: r.state === 'done' ? 'power' : 'process' },
    );
  }

  /** Holders in the order of their numbers. */
  holders(property: number, after: number, limit: number): Promise<Holder[]> {
    return this.database.all<Holder>(
      `SELECT ${s.id} AS id, ${s.urn} AS urn, ${s.type} AS type FROM relationship r JOIN entity s ON ${s.id} = r.source_id
       WHERE r.target_id = ? AND r.type = ? AND r.source_id > ? ORDER BY r.source_id LIMIT ?`,
      [property, HOLDS, after, limit],
    );
  }

  async heldBy(holders: readonly Holder[]): Promise<HeldValues[]> {
    const asked = this.database.dialect.in(
      v.entity_id,
      holders.map(({ id }) => id),
    );
    const rows = await this.database.all<{ id: number } & Omit<HeldValues, keyof Holder>>(
      `SELECT ${v.entity_id} AS id, ${v.value} AS value, ${v.version} AS version, ${v.system_metadata} AS systemMetadata FROM aspect v
       WHERE ${v.aspect} = ? AND ${asked.sql}`,
      [VALUES_ASPECT, ...asked.params],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return holders.flatMap((holder) => {
      const row = byId.get(holder.id);
      return row ? [{ ...holder, ...row, version: Number(row.version) }] : [];
    });
  }

  private async idOf(property: string): Promise<number | undefined> {
    const [row] = await this.database.all<{ id: number }>(
      `SELECT ${e.id} AS id FROM entity e WHERE ${e.urn} = ?`,
      [property],
    );
    return row?.id;
  }

  /** An earlier or the latest value of an aspect; undefined when it is not there any more. */
  async valueOf(
    property: string,
    aspect: string,
    version: number,
  ): Promise<Record<string, unknown> | undefined> {
    const rows = await this.database.all<{ value: string }>(
      `SELECT ${v.value} AS value FROM entity e JOIN aspect_history v ON ${v.entity_id} = ${e.id}
         WHERE ${e.urn} = ? AND ${v.aspect} = ? AND ${v.version} = ?
       UNION ALL
       SELECT ${v.value} AS value FROM entity e JOIN aspect v ON ${v.entity_id} = ${e.id}
         WHERE ${e.urn} = ? AND ${v.aspect} = ? AND ${v.version} = ?`,
      [property, aspect, version, property, aspect, version],
    );
    return rows[0] && (JSON.parse(rows[0].value) as Record<string, unknown>);
  }

  /** All values there are, in the order of the entities that have them. */
  values(after: number, limit: number): Promise<StoredValues[]> {
    return this.database.all(
      `SELECT ${v.entity_id} AS id, ${v.value} AS value FROM aspect v WHERE ${v.aspect} = ? AND ${v.entity_id} > ?
       ORDER BY ${v.entity_id} LIMIT ?`,
      [VALUES_ASPECT, after, limit],
    );
  }

  /** Those of the entities that lack some of the relationships that their values stand for. */
  async edgeless(
    stored: readonly StoredValues[],
    edgesOf: (stored: StoredValues) => readonly Edge[],
  ): Promise<number[]> {
    return [...(await this.missing(this.database, stored, edgesOf)).keys()];
  }

  /** Adds the relationships that these entities lack; answers the target of each. No other process writes to them meanwhile. */
  async addEdges(
    ids: readonly number[],
    edgesOf: (stored: StoredValues) => readonly Edge[],
  ): Promise<string[]> {
    return this.database.transaction(async (tx) => {
      const heads = tx.dialect.in(e.id, ids);
      await tx.all(
        `SELECT ${e.id} FROM entity e WHERE ${heads.sql} ORDER BY ${e.urn} ${tx.dialect.forUpdate}`,
        heads.params,
      );
      const asked = tx.dialect.in(v.entity_id, ids);
      const stored = await tx.all<StoredValues>(
        `SELECT ${v.entity_id} AS id, ${v.value} AS value FROM aspect v WHERE ${v.aspect} = ? AND ${asked.sql}`,
        [VALUES_ASPECT, ...asked.params],
      );
      const missing = await this.missing(tx, stored, edgesOf);
      const edges = [...missing].flatMap(([id, own]) => own.map((edge) => ({ id, ...edge })));
      const targets = tx.dialect.in(e.urn, [...new Set(edges.map(({ target }) => target))]);
      const known = await tx.all<{ id: number; urn: string }>(
        `SELECT ${e.id} AS id, ${e.urn} AS urn FROM entity e WHERE ${targets.sql}`,
        targets.params,
      );
      const numbers = new Map(known.map(({ id, urn }) => [urn, id]));
      // A property that a value was ever written of has a head.
      const rows = edges.flatMap(({ id, type, target, path }) => {
        const number = numbers.get(target);
        return number === undefined ? [] : [[id, type, number, VALUES_ASPECT, path]];
      });
      const columns = ['source_id', 'type', 'target_id', 'aspect', 'path'];
      await tx.insert('relationship', columns, rows, { key: columns, then: 'ignore' });
      return edges.filter(({ target }) => numbers.has(target)).map(({ target }) => target);
    });
  }

  /** Lets the newest removal of a property begin again, or its first one begin; answers its change. */
  async again(property: string, now: number): Promise<number | undefined> {
    const [newest] = await this.newest(1, property);
    if (newest) {
      if (newest.state === 'done')
        await this.save({ ...newest, state: 'waiting', done: 0, lastHolder: 0, finishedAt: 0 });
      return newest.changeId;
    }
    const entityId = await this.idOf(property);
    if (entityId === undefined) return undefined;
    // The log may have forgotten the change: a number that no change has.
    const changeId = -Number(entityId);
    await this.request(changeId, property, 'deleted', now);
    return changeId;
  }

  private async missing(
    reader: SqlReader,
    stored: readonly StoredValues[],
    edgesOf: (stored: StoredValues) => readonly Edge[],
  ): Promise<Map<number, Edge[]>> {
    const asked = reader.dialect.in(
      'r.source_id',
      stored.map(({ id }) => id),
    );
    const rows = await reader.all<{ id: number; type: string; path: string; urn: string }>(
      `SELECT r.source_id AS id, r.type, r.path, ${t.urn} AS urn FROM relationship r JOIN entity t ON ${t.id} = r.target_id
       WHERE r.aspect = ? AND ${asked.sql}`,
      [VALUES_ASPECT, ...asked.params],
    );
    const there = new Set(rows.map(({ id, type, path, urn }) => `${id}\n${type}\n${path}\n${urn}`));
    const missing = new Map<number, Edge[]>();
    for (const values of stored) {
      const own = edgesOf(values).filter(
        ({ type, path, target }) => !there.has(`${values.id}\n${type}\n${path}\n${target}`),
      );
      if (own.length > 0) missing.set(values.id, own);
    }
    return missing;
  }

  private async select(where: string, params: ReadonlyArray<string | number>): Promise<Removal[]> {
    const rows = await this.database.all<Removal>(
      `SELECT ${COLUMNS} FROM property_removal r JOIN entity e ON ${e.id} = r.entity_id ${where}`,
      params,
    );
    return rows.map((row) => ({
      ...row,
      changeId: Number(row.changeId),
      entityId: Number(row.entityId),
      total: Number(row.total),
      done: Number(row.done),
      removed: Number(row.removed),
      lastHolder: Number(row.lastHolder),
      requestedAt: Number(row.requestedAt),
      startedAt: Number(row.startedAt),
      finishedAt: Number(row.finishedAt),
    }));
  }
}
