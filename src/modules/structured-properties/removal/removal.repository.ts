import { Injectable } from '@nestjs/common';
import { Database } from '../../../catalog/store/index.js';
import { VALUES_ASPECT } from '../entities/property-definition.js';

/** The name of the relationship between an entity and the properties it has values of. */
const HOLDS = 'HasStructuredProperty';

export type RemovalReason = 'deleted' | 'version';
export type RemovalState = 'waiting' | 'running' | 'done';

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

const COLUMNS = `r.change_id AS changeId, e.urn AS property, r.entity_id AS entityId, r.reason, r.state, r.total,
  r.done, r.removed, r.last_holder AS lastHolder, r.requested_at AS requestedAt, r.started_at AS startedAt,
  r.finished_at AS finishedAt`;

/** The records of removals, and who holds values of a property. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly database: Database) {}

  /** Writes down that values are to be removed. Again for the same change: nothing. */
  async request(changeId: number, property: string, reason: RemovalReason, now: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [head] = await tx.all<{ id: number }>('SELECT id FROM entity WHERE urn = ?', [property]);
      if (head === undefined) return;
      await tx.insert(
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
      : this.select('WHERE e.urn = ? ORDER BY r.change_id DESC LIMIT ?', [property, limit]);
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
      `SELECT s.id, s.urn, s.type FROM relationship r JOIN entity s ON s.id = r.source_id
       WHERE r.target_id = ? AND r.type = ? AND r.source_id > ? ORDER BY r.source_id LIMIT ?`,
      [property, HOLDS, after, limit],
    );
  }

  async heldBy(holders: readonly Holder[]): Promise<HeldValues[]> {
    const asked = this.database.dialect.in(
      'entity_id',
      holders.map(({ id }) => id),
    );
    const rows = await this.database.all<{ id: number } & Omit<HeldValues, keyof Holder>>(
      `SELECT entity_id AS id, value, version, system_metadata AS systemMetadata FROM aspect
       WHERE aspect = ? AND ${asked.sql}`,
      [VALUES_ASPECT, ...asked.params],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return holders.flatMap((holder) => {
      const row = byId.get(holder.id);
      return row ? [{ ...holder, ...row, version: Number(row.version) }] : [];
    });
  }

  async idOf(property: string): Promise<number | undefined> {
    const [row] = await this.database.all<{ id: number }>('SELECT id FROM entity WHERE urn = ?', [property]);
    return row?.id;
  }

  /** An earlier or the latest value of an aspect; undefined when it is not there any more. */
  async valueOf(
    property: string,
    aspect: string,
    version: number,
  ): Promise<Record<string, unknown> | undefined> {
    const rows = await this.database.all<{ value: string }>(
      `SELECT v.value FROM entity e JOIN aspect_history v ON v.entity_id = e.id
         WHERE e.urn = ? AND v.aspect = ? AND v.version = ?
       UNION ALL
       SELECT v.value FROM entity e JOIN aspect v ON v.entity_id = e.id
         WHERE e.urn = ? AND v.aspect = ? AND v.version = ?`,
      [property, aspect, version, property, aspect, version],
    );
    return rows[0] && (JSON.parse(rows[0].value) as Record<string, unknown>);
  }

  /** All values there are, in the order of the entities that have them. */
  values(after: number, limit: number): Promise<Array<{ id: number; value: string }>> {
    return this.database.all(
      `SELECT entity_id AS id, value FROM aspect WHERE aspect = ? AND entity_id > ? ORDER BY entity_id LIMIT ?`,
      [VALUES_ASPECT, after, limit],
    );
  }

  private async select(where: string, params: ReadonlyArray<string | number>): Promise<Removal[]> {
    const rows = await this.database.all<Removal>(
      `SELECT ${COLUMNS} FROM property_removal r JOIN entity e ON e.id = r.entity_id ${where}`,
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
