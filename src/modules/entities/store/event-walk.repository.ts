import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';
import type { StoredEvent } from './events.repository.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<TimeseriesAspectRow>('v');

/** Where an event stands among those of all entities. */
export type EventPlace = readonly [time: number, entity: number, message: string];

export type WalkedEvent = StoredEvent & { urn: string; entity_id: number };

export interface EventWalk {
  /** Name of the kind of entities. */
  entity: string;
  aspect: string;
  /** Epoch milliseconds, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
  includeRemoved: boolean;
  after?: EventPlace | undefined;
  limit: number;
}

/** Reads the events of all entities of a kind in the order of time, which has an index of its own. */
@Injectable()
export class EventWalkRepository {
  constructor(private readonly database: Database) {}

  /** The next events, newest first. */
  async page(walk: EventWalk): Promise<WalkedEvent[]> {
    const conditions = [`${v.aspect} = ?`, `${e.type} = ?`, `${e.live} = 1`];
    const params: SqlValue[] = [walk.aspect, walk.entity];
    const add = (sql: string, ...values: SqlValue[]): void => {
      conditions.push(sql);
      params.push(...values);
    };
    if (!walk.includeRemoved) add(`${e.removed} = 0`);
    if (walk.from !== undefined) add(`${v.time} >= ?`, walk.from);
    if (walk.to !== undefined) add(`${v.time} <= ?`, walk.to);
    if (walk.after) {
      const [time, entity, message] = walk.after;
      add(`${v.time} <= ?`, time);
      add(
        `(${v.time} < ? OR ${v.entity_id} < ? OR (${v.entity_id} = ? AND ${v.message} < ?))`,
        time,
        entity,
        entity,
        message,
      );
    }
    const rows = await this.database.all<WalkedEvent>(
      `SELECT ${e.urn}, ${v.entity_id}, ${v.time}, ${v.message}, ${v.value}, ${v.system_metadata}, ${v.created_at}, ${v.created_by}
       FROM timeseries_aspect v JOIN entity e ON ${e.id} = ${v.entity_id}
       WHERE ${conditions.join(' AND ')} ORDER BY ${v.time} DESC, ${v.entity_id} DESC, ${v.message} DESC LIMIT ?`,
      [...params, walk.limit],
    );
    return rows.map((row) => ({ ...row, time: Number(row.time), entity_id: Number(row.entity_id) }));
  }
}
