import { join } from 'node:path';
import { CatalogError } from '../catalog/errors/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import type { Database } from '../catalog/store/index.js';
import type { Configuration } from '../config/configuration.js';
import { StartError } from '../config/start-error.js';

/**
 * A database without a single entity beside an index that is full was lost, or is the wrong one: to go on would look like a
 * new catalog. An engine that is unavailable cannot be asked; what it has of another database is not searched in any case.
 * @throws StartError naming the database and what helps, unless CATALOG_ACCEPT_EMPTY=on
 */
export async function refuseEmpty(
  { acceptEmpty, databaseUrl, searchUrl, searchPrefix, home }: Configuration,
  database: Database,
  index: SearchIndex,
): Promise<void> {
  if (acceptEmpty === 'on') return;
  if ((await database.all('SELECT id FROM entity LIMIT 1')).length > 0) return;
  try {
    if (await index.isEmpty()) return;
  } catch (error) {
    if (error instanceof CatalogError && error.kind === 'unavailable') return;
    throw error;
  }
  const file = join(home, 'catalog.db');
  const where =
    databaseUrl === undefined ? file : `CATALOG_DATABASE_URL: the database ${databaseUrl.pathname.slice(1)}`;
  const its =
    searchUrl === undefined
      ? join(home, 'search.db')
      : `the search server with CATALOG_SEARCH_PREFIX=${searchPrefix}`;
  throw new StartError(
    `${where} is missing or empty, but ${its} holds the index of a catalog. Put the database back, or set ` +
      'CATALOG_ACCEPT_EMPTY=on for one start to begin with an empty catalog and drop the index',
  );
}
