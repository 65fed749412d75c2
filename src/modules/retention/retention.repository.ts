import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  noteUnlogged,
  type SqlValue,
  type Transaction,
} from '../../catalog/store/index.js';
import type { RetentionPolicyValue } from './retention-rules.js';
import type { AspectHistoryRow, AspectRow, EntityRow } from '../entities/index.js';

const k = columnsOf<AspectRow>('k');
const c = columnsOf<AspectRow>('c');
const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');
const v = columnsOf<AspectHistoryRow>('v');

/** What retention walks through, in this order. */
export const TABLES = ['aspect_history', 'timeseries_aspect'] as const;
export type KeptTable = (typeof TABLES)[number];

/** What is kept of one aspect of one entity. */
export interface Group {
  readonly entity: number;
  readonly aspect: string;
}

/** The latest value of an aspect. */
export interface Latest {
  readonly type: string;
  readonly version: number;
  readonly createdAt: number;
}

/** An earlier value. */
export interface Earlier {
  readonly version: number;
  readonly createdAt: number;
}

/** An event, by what tells it apart within its aspect. */
export interface KeptEvent {
  readonly time: number;
  readonly message: string;
}

/** What retention reads and removes: always by the key, whose order is that of age. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  async policies(): Promise<RetentionPolicyValue[]> {
    const rows = await this.database.all<{ name: string; value: string }>(
      `SELECT ${k.value} AS name, ${c.value} AS value FROM entity e
       JOIN aspect k ON ${k.entity_id} = ${e.id} AND ${k.aspect} = 'dataHubRetentionKey'
       JOIN aspect c ON ${c.entity_id} = ${e.id} AND ${c.aspect} = 'dataHubRetentionConfig'
       WHERE ${e.type} = 'dataHubRetention' AND ${e.live} = 1 AND ${e.removed} = 0`,
    );
    return rows.map(({ name, value }) => ({
      ...(JSON.parse(name) as Pick<RetentionPolicyValue, 'entityName' | 'aspectName'>),
      ...(JSON.parse(value) as Pick<RetentionPolicyValue, 'retention'>),
    }));
  }

  /** The next aspect of an entity of which a table has anything, after another. */
  async next(table: KeptTable, { entity, aspect }: Group): Promise<Group | undefined> {
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

  async typeOf(entity: number): Promise<string | undefined> {
    const [row] = await this.database.all<{ type: string }>(
      `SELECT ${e.type} AS type FROM entity e WHERE ${e.id} = ?`,
      [entity],
    );
    return row?.type;
  }

  async latest({ entity, aspect }: Group): Promise<Latest | undefined> {
    const [row] = await this.database.all<{ type: string; version: number; created_at: number }>(
      `SELECT ${e.type} AS type, ${a.version} AS version, ${a.created_at} AS created_at FROM entity e JOIN aspect a ON ${a.entity_id} = ${e.id}
       WHERE ${e.id} = ? AND ${a.aspect} = ?`,
      [entity, aspect],
    );
    return row && { type: row.type, version: Number(row.version), createdAt: Number(row.created_at) };
  }

  /** Earlier values behind a version, the oldest first. */
  async earlier({ entity, aspect }: Group, behind: number, limit: number): Promise<Earlier[]> {
    const rows = await this.database.all<{ version: number; created_at: number }>(
      `SELECT ${v.version} AS version, ${v.created_at} AS created_at FROM aspect_history v
       WHERE ${v.entity_id} = ? AND ${v.aspect} = ? AND ${v.version} > ? ORDER BY ${v.version} LIMIT ?`,
      [entity, aspect, behind, limit],
    );
    return rows.map((row) => ({ version: Number(row.version), createdAt: Number(row.created_at) }));
  }

  /** The time of the newest event. */
  async newestEvent({ entity, aspect }: Group): Promise<number | undefined> {
    const [row] = await this.database.all<{ time: number }>(
      'SELECT time FROM timeseries_aspect WHERE entity_id = ? AND aspect = ? ORDER BY time DESC LIMIT 1',
      [entity, aspect],
    );
    return row && Number(row.time);
  }

  /** Events before a time, the oldest first. */
  async events(group: Group, until: number, limit: number): Promise<KeptEvent[]> {
    const rows = await this.database.all<KeptEvent>(
      `SELECT time, message FROM timeseries_aspect
       WHERE entity_id = ? AND aspect = ? AND time < ? ORDER BY time, message LIMIT ?`,
      [group.entity, group.aspect, until, limit],
    );
    return rows.map(({ time, message }) => ({ time: Number(time), message }));
  }

  async countEvents({ entity, aspect }: Group, until: number): Promise<number> {
    const [row] = await this.database.all<{ n: number }>(
      'SELECT COUNT(*) AS n FROM timeseries_aspect WHERE entity_id = ? AND aspect = ? AND time < ?',
      [entity, aspect, until],
    );
    return Number(row?.n ?? 0);
  }

  removeEarlier({ entity, aspect }: Group, values: readonly Earlier[]): Promise<void> {
    // An entity that was deleted and made again meanwhile counts its versions anew; those were written at another time.
    return this.remove(
      'DELETE FROM aspect_history WHERE entity_id = ? AND aspect = ? AND version = ? AND created_at = ?',
      values.map(({ version, createdAt }) => [entity, aspect, version, createdAt]),
    );
  }

  removeEvents({ entity, aspect }: Group, events: readonly KeptEvent[]): Promise<void> {
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
