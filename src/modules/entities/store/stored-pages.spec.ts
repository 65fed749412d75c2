import { describe, expect, it } from '@jest/globals';
import { MYSQL_DIALECT } from '../../../adapters/database/mysql/mysql-dialect.js';
import { SQLITE_DIALECT } from '../../../adapters/database/sqlite/sqlite-dialect.js';
import type { SqlReader } from '../../../catalog/store/index.js';
import { ALL_HEADS, StoredPages } from './stored-pages.js';
import type { LineForms } from './whole-page.query.js';

const FORMS: LineForms = {
  ...{ head: () => ["''"], aspect: () => ["''"], history: undefined, event: undefined },
};

/** Has as many entities as are asked for, whose lines have so many bytes. */
function readerOf(bytes: () => number): SqlReader {
  return {
    dialect: SQLITE_DIALECT,
    async all<R extends object>(sql: string): Promise<R[]> {
      const entities = Number(/LIMIT (\d+)\) e/.exec(sql)?.[1]);
      const counts = { entities, last: 'urn:li:tag:one', aspect: entities, history: 0, event: 0 };
      if (sql.includes('AS entities')) return [counts] as unknown[] as R[];
      return sql.includes('AS bytes') ? ([{ bytes: new Uint8Array(bytes()) }] as unknown[] as R[]) : [];
    },
  };
}

describe('StoredPages', () => {
  it('reads as many heads at a time as have some megabytes', async () => {
    let bytes = 1_000;
    const pages = new StoredPages(
      readerOf(() => bytes),
      { entityTypes: [], urns: [], deleted: true },
    );
    const read = async (): Promise<number | undefined> =>
      (await pages.whole('', ALL_HEADS, FORMS, []))?.entities;
    expect([await read(), await read(), await read(), await read(), await read()]).toEqual([
      8, 16, 32, 50, 50,
    ]);
    bytes = 50 * 1024 * 1024;
    expect([await read(), await read()]).toEqual([50, 4]);
    expect([await read(), await read()]).toEqual([1, 1]);
  });

  it('reads more at a time from a server, where each statement is a round trip', async () => {
    const reader: SqlReader = { dialect: MYSQL_DIALECT, all: async () => [] };
    const pages = new StoredPages(reader, { entityTypes: [], urns: [], deleted: true });
    const sizes: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      sizes.push(pages.size);
      await pages.values(Array.from({ length: pages.size }, (_, id) => id));
    }
    expect(sizes).toEqual([8, 16, 32, 64, 128, 256, 400]);
  });
});
