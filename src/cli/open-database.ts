import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteDatabase } from '../adapters/database/index.js';
import type { Database } from '../catalog/store/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';

/** The database that the service of this configuration uses, also while it runs. */
export async function openDatabase({ home, databaseUrl }: Configuration): Promise<Database> {
  if (databaseUrl !== undefined) {
    throw new ConfigurationError([
      'CATALOG_DATABASE_URL is set, but this version runs embedded only; leave it out',
    ]);
  }
  await mkdir(home, { recursive: true, mode: 0o700 });
  return SqliteDatabase.open(join(home, 'catalog.db'));
}
