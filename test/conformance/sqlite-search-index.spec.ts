import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { SqliteSearchIndex, ThreadedSearchIndex } from '../../src/adapters/search/sqlite/index.js';
import { searchIndexConformance } from './search-index.conformance.js';

searchIndexConformance('SQLite', async () => new SqliteSearchIndex(':memory:'));

const folder = mkdtempSync(join(tmpdir(), 'catalog-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

searchIndexConformance('SQLite, in threads', () =>
  ThreadedSearchIndex.open({ path: join(folder, `${files++}.db`), longReaders: 1 }),
);
