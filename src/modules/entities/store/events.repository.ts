import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<TimeseriesAspectRow>('v');
const w = columnsOf<TimeseriesAspectRow>('w');

export type StoredEvent = Pick<
  TimeseriesAspectRow,
  'time' | 'message' | 'value' | 'system_metadata' | 'created_at' | 'created_by'
>;

export interface EventRange {
  urn: string;
  aspect: string;
  /** Epoch milliseconds, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
  newestFirst: boolean;
}

/** Reads the events of time-series aspects. */
@Injectable()
export class EventRepository {
  constructor(private readonly database: Database) {}

  /** The next events of the range, in the order of their times: those after `last`, at most `limit`. */
  page(range: EventRange, limit: number, last?: StoredEvent): Promise<StoredEvent[]> {
    const [after, order] = range.newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
    const conditions = [`${e.urn} = ?`, `${e.live} = 1`, `${v.aspect} = ?`];
    const params: SqlValue[] = [range.urn, range.aspect];
    const add = (sql: string, ...values: SqlValue[]): void => {
      conditions.push(sql);
      params.push(...values);
    };
    if (range.from !== undefined) add(`${v.time} >= ?`, range.from);
    if (range.to !== undefined) add(`${v.time} <= ?`, range.to);
    if (last)
      add(
        `(${v.time} ${after} ? OR (${v.time} = ? AND ${v.message} ${after} ?))`,
        last.time,
        last.time,
        last.message,
      );
    return this.database.all<StoredEvent>(
      `SELECT ${v.time}, ${v.message}, ${v.value}, ${v.system_metadata}, ${v.created_at}, ${v.created_by}
       FROM entity e JOIN timeseries_aspect v ON ${v.entity_id} = ${e.id}
       WHERE ${conditions.join(' AND ')} ORDER BY ${v.time} ${order}, ${v.message} ${order} LIMIT ?`,
      [...params, limit],
    );
  }

  /** The newest event of each of the entities that has one. */
  async newest(urns: readonly string[], aspect: string): Promise<Map<string, StoredEvent>> {
    if (urns.length === 0) return new Map();
    const asked = this.database.dialect.in(e.urn, urns);
    const rows = await this.database.all<StoredEvent & { urn: string }>(
      `SELECT ${e.urn} AS urn, ${v.time}, ${v.message}, ${v.value}, ${v.system_metadata}, ${v.created_at}, ${v.created_by}
       FROM entity e JOIN timeseries_aspect v ON ${v.entity_id} = ${e.id}
       WHERE ${asked.sql} AND ${e.live} = 1 AND ${v.aspect} = ? AND ${v.time} =
         (SELECT MAX(${w.time}) FROM timeseries_aspect w WHERE ${w.entity_id} = ${e.id} AND ${w.aspect} = ?)
       ORDER BY ${v.message}`,
      [...asked.params, aspect, aspect],
    );
    // Of several at one time the last one stays, as where events are read one after the other.
    return new Map(rows.map(({ urn, ...event }) => [urn, event]));
  }
}
