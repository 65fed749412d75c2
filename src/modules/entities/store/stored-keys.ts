import { columnsOf, type SqlReader, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { AspectRow } from './aspect.row.js';

const v = columnsOf<AspectRow>('v');

/** What a value or an event says, whatever its key. */
export type StoredContent = Pick<AspectHistoryRow, 'value' | 'system_metadata' | 'created_at' | 'created_by'>;

/** Which of the entities have a latest value that was not written by `actor`. */
export async function changedByOthers(
  reader: SqlReader,
  ids: readonly number[],
  actor: string,
): Promise<Set<number>> {
  const { sql, params } = reader.dialect.in(v.entity_id, ids);
  const rows = await reader.all<Pick<AspectRow, 'entity_id'>>(
    `SELECT ${v.entity_id} FROM aspect v WHERE ${sql} AND ${v.created_by} <> ?`,
    [...params, actor],
  );
  return new Set(rows.map(({ entity_id }) => entity_id));
}

/** The rows of a table that have these keys. @param key the columns of the primary key */
export function storedByKey(
  reader: SqlReader,
  table: 'aspect_history' | 'timeseries_aspect',
  key: readonly string[],
  keys: ReadonlyArray<readonly SqlValue[]>,
): Promise<Array<StoredContent & Record<string, SqlValue>>> {
  const { sql, params } = reader.dialect.inRows(key, keys);
  return reader.all(
    `SELECT ${key.join(', ')}, value, system_metadata, created_at, created_by FROM ${table} WHERE ${sql}`,
    params,
  );
}
