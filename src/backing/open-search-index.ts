import { join } from 'node:path';
import type { SearchIndex } from '../catalog/search/index.js';
import type { Checkpoints } from '../catalog/store/index.js';
import type { Configuration } from '../config/configuration.js';

/** The search index of this configuration: Elasticsearch, or a file in the data folder. Loads what it needs. */
export async function openSearchIndex(
  { home, searchUrl, searchPrefix }: Configuration,
  checkpoints?: Checkpoints,
): Promise<SearchIndex> {
  if (searchUrl === undefined) {
    const { SqliteSearchIndex } = await import('../adapters/search/sqlite/index.js');
    return new SqliteSearchIndex(join(home, 'search.db'), checkpoints);
  }
  const { ElasticClient, ElasticsearchSearchIndex } =
    await import('../adapters/search/elasticsearch/index.js');
  return new ElasticsearchSearchIndex(new ElasticClient(searchUrl), searchPrefix);
}
