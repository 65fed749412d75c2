import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../src/adapters/database/index.js';
import { databaseConformance } from './database.conformance.js';

databaseConformance('SqliteDatabase', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  return {
    open: () => SqliteDatabase.open(join(folder, 'catalog.db')),
    dispose: () => rm(folder, { recursive: true }),
  };
});
