import { join } from 'node:path';
import { SqliteSearchIndex } from '../adapters/search/sqlite/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';

/** The search index of this configuration: Elasticsearch, or a file in the data folder. */
export async function openSearchIndex({ home, searchUrl }: Configuration): Promise<SearchIndex> {
  if (searchUrl === undefined) return new SqliteSearchIndex(join(home, 'search.db'));
  throw new ConfigurationError(['CATALOG_SEARCH_URL is set, but this version has no adapter for it']);
}
