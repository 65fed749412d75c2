import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  noteUnlogged,
  type SqlValue,
  type Transaction,
} from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { AspectRow } from './aspect.row.js';
import type { EntityRow } from './entity.row.js';

const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');
const v = columnsOf<AspectHistoryRow>('v');

/** Tables that keep more than the latest value, in the order in which they are walked. */
export const KEPT_TABLES = ['aspect_history', 'timeseries_aspect'] as const;
export type KeptTable = (typeof KEPT_TABLES)[number];

/** What is kept of one aspect of one entity. */
export interface KeptGroup {
  readonly entity: number;
  readonly aspect: string;
}

/** The latest value of an aspect. */
interface LatestVersion {
  readonly type: string;
  readonly version: number;
  readonly createdAt: number;
}

/** An earlier value. */
export interface EarlierVersion {
  readonly version: number;
  readonly createdAt: number;
}

/** An event, by what tells it apart within its aspect. */
interface KeptEvent {
  readonly time: number;
  readonly message: string;
}

/** Reads and removes earlier values and events: always by the key, whose order is that of age. */
@Injectable()
export class KeptVersionRepository {
  constructor(private readonly database: Database) {}

  /** The next aspect of an entity of which a table has anything, after another. */
  async next(table: KeptTable, { entity, aspect }: KeptGroup): Promise<KeptGroup | undefined> {
    const steps: Array<[string, SqlValue[]]> = [
      ['entity_id = ? AND aspect > ?', [entity, aspect]],
      ['entity_id > ?', [entity]],
    ];
    for (const [condition, params] of steps) {
      const [row] = await this.database.all<{ entity_id: number; aspect: string }>(
        `SELECT entity_id, aspect FROM ${table} WHERE ${condition} ORDER BY entity_id, aspect LIMIT 1`,
        params,
      );
      if (row) return { entity: Number(row.entity_id), aspect: row.aspect };
    }
    return undefined;
  }

  async latest({ entity, aspect }: KeptGroup): Promise<LatestVersion | undefined> {
    const [row] = await this.database.all<{ type: string; version: number; created_at: number }>(
      `SELECT ${e.type} AS type, ${a.version} AS version, ${a.created_at} AS created_at FROM entity e JOIN aspect a ON ${a.entity_id} = ${e.id}
       WHERE ${e.id} = ? AND ${a.aspect} = ?`,
      [entity, aspect],
    );
    return row && { type: row.type, version: Number(row.version), createdAt: Number(row.created_at) };
  }

  /** Earlier values behind a version, the oldest first. */
  async earlier({ entity, aspect }: KeptGroup, behind: number, limit: number): Promise<EarlierVersion[]> {
    const rows = await this.database.all<{ version: number; created_at: number }>(
      `SELECT ${v.version} AS version, ${v.created_at} AS created_at FROM aspect_history v
       WHERE ${v.entity_id} = ? AND ${v.aspect} = ? AND ${v.version} > ? ORDER BY ${v.version} LIMIT ?`,
      [entity, aspect, behind, limit],
    );
    return rows.map((row) => ({ version: Number(row.version), createdAt: Number(row.created_at) }));
  }

  /** The time of the newest event. */
  async newestEvent({ entity, aspect }: KeptGroup): Promise<number | undefined> {
    const [row] = await this.database.all<{ time: number }>(
      'SELECT time FROM timeseries_aspect WHERE entity_id = ? AND aspect = ? ORDER BY time DESC LIMIT 1',
      [entity, aspect],
    );
    return row && Number(row.time);
  }

  /** Events before a time, the oldest first. */
  async events(group: KeptGroup, until: number, limit: number): Promise<KeptEvent[]> {
    const rows = await this.database.all<KeptEvent>(
      `SELECT time, message FROM timeseries_aspect
       WHERE entity_id = ? AND aspect = ? AND time < ? ORDER BY time, message LIMIT ?`,
      [group.entity, group.aspect, until, limit],
    );
    return rows.map(({ time, message }) => ({ time: Number(time), message }));
  }

  async countEvents({ entity, aspect }: KeptGroup, until: number): Promise<number> {
    const [row] = await this.database.all<{ n: number }>(
      'SELECT COUNT(*) AS n FROM timeseries_aspect WHERE entity_id = ? AND aspect = ? AND time < ?',
      [entity, aspect, until],
    );
    return Number(row?.n ?? 0);
  }

  removeEarlier({ entity, aspect }: KeptGroup, values: readonly EarlierVersion[]): Promise<void> {
    // An entity that was deleted and made again meanwhile counts its versions anew; those were written at another time.
    return this.remove(
      'DELETE FROM aspect_history WHERE entity_id = ? AND aspect = ? AND version = ? AND created_at = ?',
      values.map(({ version, createdAt }) => [entity, aspect, version, createdAt]),
    );
  }

  removeEvents({ entity, aspect }: KeptGroup, events: readonly KeptEvent[]): Promise<void> {
    return this.remove(
      'DELETE FROM timeseries_aspect WHERE entity_id = ? AND aspect = ? AND time = ? AND message = ?',
      events.map(({ time, message }) => [entity, aspect, time, message]),
    );
  }

  /** A power loss may undo it; the next walk removes the rows again. */
  private remove(sql: string, rows: SqlValue[][]): Promise<void> {
    const work = async (tx: Transaction): Promise<void> => {
      await tx.runEach(sql, rows);
      await noteUnlogged(tx);
    };
    return this.database.transaction(work, { survives: 'process' });
  }
}
