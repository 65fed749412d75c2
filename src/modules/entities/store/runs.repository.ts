import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { EntityRow } from './entity.row.js';

const v = columnsOf<AspectHistoryRow>('v');
const e = columnsOf<EntityRow>('e');

/** What a run writes: latest values of versioned aspects, and events. */
export type RunTable = 'aspect' | 'timeseries_aspect';

/** One value, or one event, that is left of a run. */
export interface RunRow {
  urn: string;
  type: string;
  aspect: string;
  /** JSON text; empty unless it was asked for. */
  value: string;
  /** 0 for an event. */
  version: number;
  /** JSON text. */
  system_metadata: string;
  created_at: number;
  created_by: string;
}

/** Which rows of a run to read. */
export interface RowRange {
  start: number;
  count: number;
  /** Whether rows of soft-deleted entities are read. */
  includeSoft: boolean;
  /** Whether the values come along. */
  includeAspect: boolean;
}

/** Where a row stands in the order of a run: that of writing. */
export interface RunPosition {
  created_at: number;
  entity_id: number;
  aspect: string;
}

/** An entity that a run has written to, without its values. */
export interface TouchedEntity {
  id: number;
  urn: string;
  type: string;
  sequence: number;
  removed: boolean;
  /** Aspects whose latest value is the run's. */
  own: Array<RunPosition & { version: number }>;
  /** How many other aspects there are. */
  others: number;
}

/** Finds what the store has of a run. One run may have written all of it. */
@Injectable()
export class RunRepository {
  constructor(private readonly database: Database) {}

  /** All runs that something stands from, with the time of their latest write; jumps from run to run in the index. */
  async runs(table: RunTable): Promise<Array<{ id: string; newest: number }>> {
    return this.database.all(
      `WITH RECURSIVE run (id) AS (
         SELECT MIN(run_id) FROM ${table}
         UNION ALL
         SELECT (SELECT MIN(v.run_id) FROM ${table} v WHERE v.run_id > run.id) FROM run WHERE run.id IS NOT NULL
       )
       SELECT run.id, (SELECT MAX(${v.created_at}) FROM ${table} v WHERE v.run_id = run.id) AS newest
       FROM run WHERE run.id IS NOT NULL`,
    );
  }

  async count(table: RunTable, run: string, includeSoft: boolean): Promise<number> {
    const visible = includeSoft ? '' : ` JOIN entity e ON ${e.id} = ${v.entity_id} AND ${e.removed} = 0`;
    const [row] = await this.database.allAside<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ${table} v${visible} WHERE v.run_id = ?`,
      [run],
    );
    return Number(row?.n ?? 0);
  }

  rows(
    table: RunTable,
    run: string,
    { start, count, includeSoft, includeAspect }: RowRange,
  ): Promise<RunRow[]> {
    const events = table === 'timeseries_aspect';
    return this.database.allAside<RunRow>(
      `SELECT ${e.urn} AS urn, ${e.type} AS type, ${v.aspect} AS aspect, ${includeAspect ? `${v.value} AS value` : "'' AS value"},
              ${events ? '0 AS version' : `${v.version} AS version`}, ${v.system_metadata} AS system_metadata,
              ${v.created_at} AS created_at, ${v.created_by} AS created_by
       FROM ${table} v JOIN entity e ON ${e.id} = ${v.entity_id} WHERE v.run_id = ?${includeSoft ? '' : ` AND ${e.removed} = 0`}
       ORDER BY ${v.created_at}, ${v.entity_id}, ${v.aspect}${events ? ', v.time, v.message' : ''} LIMIT ? OFFSET ?`,
      [run, count, start],
    );
  }

  /** The next rows of a run, those after `last`; events of one aspect that were written at one time stand together. */
  page(table: RunTable, run: string, limit: number, last?: RunPosition): Promise<RunPosition[]> {
    const after = last ? ` AND (${v.created_at}, ${v.entity_id}, ${v.aspect}) > (?, ?, ?)` : '';
    const params: SqlValue[] = last ? [last.created_at, last.entity_id, last.aspect] : [];
    return this.database.all<RunPosition>(
      `SELECT ${v.created_at} AS created_at, ${v.entity_id} AS entity_id, ${v.aspect} AS aspect FROM ${table} v WHERE v.run_id = ?${after}
       ORDER BY ${v.created_at}, ${v.entity_id}, ${v.aspect} LIMIT ?`,
      [run, ...params, limit],
    );
  }

  /** The first events of a run in some aspects of entities. */
  eventsOf(
    run: string,
    series: ReadonlyArray<Pick<RunPosition, 'entity_id' | 'aspect'>>,
    limit: number,
  ): Promise<RunPosition[]> {
    const { sql, params } = this.database.dialect.inRows(
      [v.entity_id, v.aspect],
      series.map(({ entity_id, aspect }) => [entity_id, aspect]),
    );
    return this.database.all<RunPosition>(
      `SELECT ${v.created_at} AS created_at, ${v.entity_id} AS entity_id, ${v.aspect} AS aspect FROM timeseries_aspect v
       WHERE v.run_id = ? AND ${sql} ORDER BY ${v.created_at}, ${v.entity_id}, ${v.aspect} LIMIT ?`,
      [run, ...params, limit],
    );
  }

  /** In the order of `ids`. */
  async entities(run: string, ids: readonly number[]): Promise<TouchedEntity[]> {
    const heads = this.database.dialect.in(e.id, ids);
    // The heads first: a write in between raises a sequence, and is noticed.
    const found = await this.database.all<Omit<TouchedEntity, 'removed'> & { removed: number }>(
      `SELECT ${e.id} AS id, ${e.urn} AS urn, ${e.type} AS type, ${e.sequence} AS sequence, ${e.removed} AS removed FROM entity e
       WHERE ${heads.sql} AND ${e.live} = 1`,
      heads.params,
    );
    const values = this.database.dialect.in(v.entity_id, ids);
    const aspects = await this.database.all<RunPosition & { version: number; own: number }>(
      `SELECT ${v.entity_id} AS entity_id, ${v.aspect} AS aspect, ${v.version} AS version, ${v.created_at} AS created_at,
         v.run_id = ? AS own FROM aspect v WHERE ${values.sql}`,
      [run, ...values.params],
    );
    const byId = new Map<number, TouchedEntity>();
    for (const head of found) byId.set(head.id, { ...head, removed: head.removed !== 0, own: [], others: 0 });
    for (const { own, ...aspect } of aspects) {
      const entity = byId.get(aspect.entity_id);
      if (entity === undefined) continue;
      if (own) entity.own.push(aspect);
      else entity.others += 1;
    }
    return ids.map((id) => byId.get(id)).filter((entity) => entity !== undefined);
  }

  /** Whether an entity has events that another run wrote. */
  async hasOtherEvents(entity: number, run: string): Promise<boolean> {
    const rows = await this.database.all(
      'SELECT 1 FROM timeseries_aspect WHERE entity_id = ? AND run_id <> ? LIMIT 1',
      [entity, run],
    );
    return rows.length > 0;
  }
}
