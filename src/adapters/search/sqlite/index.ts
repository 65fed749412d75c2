export { SqliteSearchIndex } from './sqlite-search-index.js';
export { ThreadedSearchIndex, type LaneName } from './threads/threaded-search-index.js';
