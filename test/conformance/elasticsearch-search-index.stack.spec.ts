import { afterAll } from '@jest/globals';
import { ElasticClient, ElasticsearchSearchIndex } from '../../src/adapters/search/elasticsearch/index.js';
import { dropIndices, stackUrl, uniqueName } from '../harness/search-server.js';
import { searchIndexConformance } from './search-index.conformance.js';

const url = stackUrl('STACK_SEARCH_URL');
const prefixes: string[] = [];

searchIndexConformance('Elasticsearch', async () => {
  const prefix = uniqueName('test-');
  prefixes.push(prefix);
  return new ElasticsearchSearchIndex(new ElasticClient(url), prefix);
});

afterAll(async () => {
  for (const prefix of prefixes.splice(0)) await dropIndices(url, prefix);
});
