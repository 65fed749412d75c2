import { join } from 'node:path';
import { SqliteDatabase, type RowClass } from '../adapters/database/index.js';
import type { Checkpoints, Database } from '../catalog/store/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';
import { withStartErrors } from './start-errors.js';

/**
 * The database of this configuration, made or migrated where needed. The data folder must exist.
 * @param rows TypeORM classes of the tables.
 * @param checkpoints who may make the checkpoints of a file.
 */
export async function openDatabase(
  { home, databaseUrl }: Configuration,
  rows: readonly RowClass[] = [],
  checkpoints?: Checkpoints,
): Promise<Database> {
  if (databaseUrl === undefined) {
    const file = join(home, 'catalog.db');
    return withStartErrors(file, () => SqliteDatabase.open(file, rows, checkpoints));
  }
  // Loaded only where it is used: start-up time and memory of the embedded profile are measured.
  const { MysqlDatabase } = await import('../adapters/database/mysql/mysql-database.js');
  try {
    return await MysqlDatabase.open(databaseUrl, { rows });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`CATALOG_DATABASE_URL: ${reason}`]);
  }
}
