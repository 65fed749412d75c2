import type { SqlReader } from '../../catalog/store/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';

/** How far the clocks of processes, and with them the order of times in the log, may be apart. */
const CLOCKS_MS = 3_600_000;

/**
 * The time before which nothing happened that the change log still names, epoch milliseconds; Infinity while the log is
 * empty. Readers of the feed may ask for values that were replaced or deleted since.
 */
export async function logBegin(reader: SqlReader): Promise<number> {
  const [oldest] = await reader.all<Pick<ChangeLogRow, 'time'>>(
    'SELECT time FROM change_log ORDER BY id LIMIT 1',
  );
  return oldest === undefined ? Infinity : Number(oldest.time) - CLOCKS_MS;
}
