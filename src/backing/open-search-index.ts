import { join } from 'node:path';
import type { SearchIndex } from '../catalog/search/index.js';
import type { Checkpoints } from '../catalog/store/index.js';
import type { Configuration } from '../config/configuration.js';
import { inWords } from './in-words.js';

/** The search index of this configuration: Elasticsearch, or a file in the data folder. Loads what it needs. */
export async function openSearchIndex(
  { home, searchUrl, searchPrefix }: Configuration,
  checkpoints?: Checkpoints,
): Promise<SearchIndex> {
  if (searchUrl === undefined) {
    const { SqliteSearchIndex } = await import('../adapters/search/sqlite/index.js');
    const file = join(home, 'search.db');
    return inWords(file, () => new SqliteSearchIndex(file, checkpoints));
  }
  const { ElasticClient, ElasticsearchSearchIndex } =
    await import('../adapters/search/elasticsearch/index.js');
  return new ElasticsearchSearchIndex(new ElasticClient(searchUrl), searchPrefix);
}
