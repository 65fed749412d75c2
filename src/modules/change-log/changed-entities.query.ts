import { columnsOf, type SqlReader } from '../../catalog/store/index.js';
import type { EntityRow } from '../entities/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/** Changes that are read at once. */
const PAGE = 1000;

/** A change, and the entity that it is of. */
export interface ChangedEntity {
  /** Of the change. */
  id: number;
  urn: string;
  entityType: string;
  aspect: string;
}

/** The changes after `after`, up to `until`, in pages, in the order of the log. */
export async function* changedEntities(
  reader: SqlReader,
  after: number,
  until: number,
): AsyncGenerator<ChangedEntity[]> {
  for (let last = after; last < until;) {
    const rows = await reader.all<ChangedEntity>(
      `SELECT ${c.id} AS id, ${e.urn} AS urn, ${e.type} AS entityType, ${c.aspect} AS aspect
       FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE ${c.id} > ? AND ${c.id} <= ? ORDER BY ${c.id} LIMIT ${PAGE}`,
      [last, until],
    );
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = Number(end.id);
  }
}
