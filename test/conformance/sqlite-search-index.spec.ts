import { SqliteSearchIndex } from '../../src/adapters/search/sqlite/index.js';
import { searchIndexConformance } from './search-index.conformance.js';

searchIndexConformance('SQLite', async () => new SqliteSearchIndex(':memory:'));
