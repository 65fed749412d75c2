import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextNumber, nextText, type RowBytes } from '../../src/catalog/store/index.js';
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

  it('hands rows of several statements over as they come, also those that are longer than what is read at a time', async () => {
    const opened = await MysqlDatabase.open(new URL(database.url));
    const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i';
    const seen: Array<[number, string, string]> = [];
    const each = (row: RowBytes): void => void seen.push([nextNumber(row), nextText(row), nextText(row)]);
    await opened.eachRow([
      { sql: `${numbers}, CONCAT('ü', REPEAT('a', 10 * i)), NULL FROM n`, params: [500], each },
      { sql: `${numbers}, REPEAT('b', 200000 * i), 'end' FROM n`, params: [3], each },
      { sql: 'SELECT 1, 2, 3 FROM entity WHERE 1 = 0', params: [], each },
    ]);
    await opened.close();
    const expected = [
      ...Array.from({ length: 500 }, (_, i) => [i + 1, `ü${'a'.repeat(10 * (i + 1))}`, '']),
      ...[1, 2, 3].map((i) => [i, 'b'.repeat(200_000 * i), 'end']),
    ];
    expect(seen).toEqual(expected);
  });

  it('says what is wrong with a statement whose rows are handed over', async () => {
    const opened = await MysqlDatabase.open(new URL(database.url));
    const each = (): undefined => undefined;
    await expect(opened.eachRow([{ sql: 'SELECT absent FROM entity', params: [], each }])).rejects.toThrow(
      'absent',
    );
    await opened.close();
  });
});
