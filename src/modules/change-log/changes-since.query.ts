import { columnsOf, type SqlReader } from '../../catalog/store/index.js';
import type { EntityRow } from '../entities/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { LogMoment } from './log-moment.query.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/** A change, with the type of its entity; `event` is empty text in place of an event. */
export type ChangeSince = Pick<
  ChangeLogRow,
  'entity_id' | 'aspect' | 'sequence' | 'version_before' | 'version_after' | 'event'
> &
  Pick<EntityRow, 'type'>;

/** The first changes that were not published at a moment, in the order of the log: at most `limit`. */
export function changesSince(
  reader: SqlReader,
  { published, newest }: LogMoment,
  limit: number,
): Promise<ChangeSince[]> {
  return reader.all<ChangeSince>(
    `SELECT ${c.entity_id}, ${c.aspect}, ${c.sequence}, ${c.version_before}, ${c.version_after},
       CASE WHEN ${c.event} IS NULL THEN NULL ELSE '' END AS event, ${e.type} AS type
     FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
     WHERE (${c.position} = 0 OR ${c.position} > ?) AND ${c.id} > ? ORDER BY ${c.id} LIMIT ${limit}`,
    [published, newest],
  );
}
