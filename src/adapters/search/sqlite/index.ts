export { SqliteSearchIndex } from './sqlite-search-index.js';
