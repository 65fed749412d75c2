import type { EventSelection } from '../../../catalog/change/index.js';
import { columnsOf, type SqlValue, type Transaction } from '../../../catalog/store/index.js';
import type { EntityRow, RelationshipRow } from '../../entities/index.js';
import { eventsWhere } from './event-selection.js';

const s = columnsOf<EntityRow>('s');
const t = columnsOf<EntityRow>('t');
const r = columnsOf<RelationshipRow>('r');

/** What the database holds of entities, without the changes that a unit of work has collected. */
export class StoredContents {
  constructor(private readonly tx: Transaction) {}

  /** URNs of the entities whose aspect refers to this one. */
  async referring(urn: string, relationship: string, aspect: string): Promise<string[]> {
    const rows = await this.tx.all<{ urn: string }>(
      `SELECT ${s.urn} AS urn FROM relationship r
         JOIN entity t ON ${t.id} = ${r.target_id}
         JOIN entity s ON ${s.id} = ${r.source_id}
       WHERE ${t.urn} = ? AND ${r.type} = ? AND ${r.aspect} = ?`,
      [urn, relationship, aspect],
    );
    return rows.map((row) => row.urn);
  }

  /** Names of the versioned aspects. */
  async aspects(entity: number): Promise<string[]> {
    const rows = await this.tx.all<{ aspect: string }>('SELECT aspect FROM aspect WHERE entity_id = ?', [
      entity,
    ]);
    return rows.map(({ aspect }) => aspect);
  }

  /** How much there is of an entity, or of one versioned aspect of it; history counts. */
  async size(entity: number, aspect?: string): Promise<{ rows: number; events: number }> {
    const of = aspect === undefined ? 'entity_id = ?' : 'entity_id = ? AND aspect = ?';
    const params = aspect === undefined ? [entity] : [entity, aspect];
    let rows = 0;
    for (const table of ['aspect', 'aspect_history']) rows += await this.count(table, of, params);
    return { rows, events: aspect === undefined ? await this.count('timeseries_aspect', of, params) : 0 };
  }

  /** How many events of a time-series aspect are selected. */
  async events(entity: number, aspect: string, selection: EventSelection): Promise<number> {
    const { sql, params } = eventsWhere(entity, aspect, selection);
    return this.count('timeseries_aspect', sql, params);
  }

  private async count(table: string, where: string, params: readonly SqlValue[]): Promise<number> {
    const [row] = await this.tx.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`,
      params,
    );
    return Number(row?.n ?? 0);
  }
}
