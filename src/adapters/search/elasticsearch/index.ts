export { ElasticClient } from './elastic-client.js';
export { ElasticsearchSearchIndex } from './elasticsearch-search-index.js';
