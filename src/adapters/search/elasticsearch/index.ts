export { ElasticClient } from './elastic-client.js';
export { ElasticsearchSearchIndex } from './elasticsearch-search-index.js';
export { IndexOwner } from './index-owner.js';
