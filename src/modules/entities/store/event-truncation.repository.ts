import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<TimeseriesAspectRow>('v');

const EVENTS = `timeseries_aspect v JOIN entity e ON ${e.id} = ${v.entity_id}`;

/** Finds the events of a time-series aspect of all entities of a kind. */
@Injectable()
export class EventTruncationRepository {
  constructor(private readonly database: Database) {}

  /** How many events there are, and how many of them up to a time. */
  async count(entity: string, aspect: string, to: number): Promise<{ all: number; old: number }> {
    const [row] = await this.database.all<{ n: number; old: number | null }>(
      `SELECT COUNT(*) AS n, SUM(CASE WHEN ${v.time} <= ? THEN 1 ELSE 0 END) AS old FROM ${EVENTS}
       WHERE ${e.type} = ? AND ${e.live} = 1 AND ${v.aspect} = ?`,
      [to, entity, aspect],
    );
    return { all: Number(row?.n ?? 0), old: Number(row?.old ?? 0) };
  }

  /** The next entities that have such events up to a time, in the order of their URNs. */
  async entities(
    entity: string,
    aspect: string,
    to: number,
    after: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.database.all<{ urn: string }>(
      `SELECT DISTINCT ${e.urn} AS urn FROM ${EVENTS}
       WHERE ${e.type} = ? AND ${e.live} = 1 AND ${v.aspect} = ? AND ${v.time} <= ? AND ${e.urn} > ?
       ORDER BY ${e.urn} LIMIT ?`,
      [entity, aspect, to, after, limit],
    );
    return rows.map(({ urn }) => urn);
  }
}
