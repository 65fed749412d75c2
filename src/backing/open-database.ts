import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { SqliteDatabase } from '../adapters/database/index.js';
import type { Database } from '../catalog/store/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';

/**
 * The database of this configuration, made or migrated where needed. The data folder must exist.
 * @param rows TypeORM row classes of the modules.
 */
export async function openDatabase(
  { home, databaseUrl }: Configuration,
  rows: DataSourceOptions['entities'] = [],
): Promise<Database> {
  if (databaseUrl === undefined) return SqliteDatabase.open(join(home, 'catalog.db'), rows);
  throw new ConfigurationError(['CATALOG_DATABASE_URL is set, but this version has no adapter for it']);
}
