import { constants, DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { StatementCache } from './statement-cache.js';

describe('a kept statement', () => {
  it('is planned once, also with a LIMIT that changes', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE a (n INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2), (3)');
    const statement = new StatementCache(database).get(
      'SELECT n FROM a WHERE n > ? ORDER BY n LIMIT ? OFFSET ?',
    );
    const rows = (limit: number) => statement.all([0, limit, 1]).length;
    let planned = 0;
    database.setAuthorizer(() => {
      planned += 1;
      return constants.SQLITE_OK;
    });
    // Who authorizes is asked when statements are planned, and has all planned again.
    expect(rows(1)).toBe(1);
    planned = 0;
    expect(rows(2)).toBe(2);
    expect(planned).toBe(0);
    database.close();
  });
});
