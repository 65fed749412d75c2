import { afterAll } from '@jest/globals';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { systemUpdateConformance } from './system-update.conformance.js';

const url = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('update-');

systemUpdateConformance('Elasticsearch', () => ({
  CATALOG_SEARCH_URL: url.href,
  CATALOG_SEARCH_PREFIX: prefix,
}));
afterAll(() => dropIndices(url, prefix));
