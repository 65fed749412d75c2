import { afterAll, beforeAll, describe } from '@jest/globals';
import { MysqlDatabase } from '../../src/adapters/database/mysql/mysql-database.js';
import { databaseServers, emptyTables, freshDatabase } from '../harness/stack.js';
import { databaseConformance } from './database.conformance.js';

describe.each(databaseServers())('on %s', (_server, serverUrl) => {
  let database: { url: string; drop: () => Promise<void> };
  beforeAll(async () => {
    database = await freshDatabase(serverUrl);
  });
  afterAll(() => database.drop());

  databaseConformance('MysqlDatabase', async () => ({
    open: () => MysqlDatabase.open(new URL(database.url)),
    dispose: () => emptyTables(database.url, ['entity', 'aspect']),
  }));
});
