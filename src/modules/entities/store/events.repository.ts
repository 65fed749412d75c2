import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<TimeseriesAspectRow>('v');

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
}
