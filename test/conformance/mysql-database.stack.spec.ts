import { describe } from '@jest/globals';
import { MysqlDatabase } from '../../src/adapters/database/mysql/mysql-database.js';
import { databaseServers, freshDatabase } from '../harness/stack.js';
import { databaseConformance } from './database.conformance.js';

describe.each(databaseServers())('on %s', (_server, serverUrl) => {
  databaseConformance('MysqlDatabase', async () => {
    const { url, drop } = await freshDatabase(serverUrl);
    return { open: () => MysqlDatabase.open(new URL(url)), dispose: drop };
  });
});
