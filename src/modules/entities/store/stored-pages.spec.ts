import { describe, expect, it } from '@jest/globals';
import { MYSQL_DIALECT } from '../../../adapters/database/mysql/mysql-dialect.js';
import { SQLITE_DIALECT } from '../../../adapters/database/sqlite/sqlite-dialect.js';
import type { RowBytes, SqlReader } from '../../../catalog/store/index.js';
import { ALL_HEADS, StoredPages } from './stored-pages.js';
import type { LineForms } from './whole-page.query.js';

const FORMS: LineForms = {
  ...{ head: () => ["''"], headText: () => '', aspect: () => ["''"], history: undefined, event: undefined },
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

/** Hands over the columns of a row as a server sends them. */
function bytesOf(columns: ReadonlyArray<string | number>): RowBytes {
  const bytes = Buffer.from(columns.join(''));
  const row = { bytes, start: 0, end: 0, next: () => undefined };
  let at = 0;
  const next = (): void => {
    row.start = row.end;
    row.end += Buffer.byteLength(String(columns[at++]));
  };
  return Object.assign(row, { next });
}

/** Answers rows of tables, in the order in which they are given. */
function serverOf(tables: Record<string, Array<Array<string | number>>>): SqlReader & { asked: string[] } {
  const asked: string[] = [];
  const rowsOf = (sql: string): Array<Array<string | number>> => {
    asked.push(sql);
    const [, table = ''] = /FROM (\w+)/.exec(sql.replace(/FROM \(/, '')) ?? [];
    const [, limit = '1000'] = /LIMIT (\d+)/.exec(sql) ?? [];
    return (tables[table] ?? []).slice(0, Number(limit));
  };
  return {
    ...{ dialect: MYSQL_DIALECT, asked },
    async all<R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> {
      const rows = rowsOf(sql);
      if (sql.includes('COUNT(*)')) return [{ n: rows.length }] as unknown[] as R[];
      if (/LIMIT 1$/.test(sql)) return rows as unknown[] as R[];
      return rows
        .map(([id, urn, type, live, created_at, created_by]) => ({
          ...{ id, urn, type, live, created_at, created_by },
        }))
        .filter(({ urn }) => String(urn) > String(params[0])) as unknown[] as R[];
    },
    async eachRow(statements) {
      for (const statement of statements)
        for (const row of rowsOf(statement.sql))
          if (!/FROM entity/.test(statement.sql) || String(row[1]) > String(statement.params[0]))
            statement.each(bytesOf(row));
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

  describe('of a server that hands rows over', () => {
    const forms: LineForms = {
      head: () => [],
      headText: ({ urn }, deleted, names) =>
        `${urn} ${JSON.stringify(deleted ?? [])} ${JSON.stringify(names ?? [])}\n`,
      aspect: ({ literal, quoted }) => [
        ...[
          literal('  '),
          'e.type',
          literal(' '),
          quoted('e.urn'),
          literal(' '),
          'v.aspect',
          literal(' by '),
        ],
        ...[quoted('v.created_by'), literal('\n')],
      ],
      history: ({ literal }) => [literal('  before '), 'v.version', literal('\n')],
      event: undefined,
    };
    const HEADS = [
      [7, 'urn:li:tag:a', 'tag', 1, 1, 'x'],
      [3, 'urn:li:tag:b"', 'tag', 1, 1, 'x'],
      [5, 'urn:li:tag:c', 'tag', 0, 1, 'x'],
    ];
    const selection = { entityTypes: [], urns: [], deleted: true };
    const textOf = (page: Awaited<ReturnType<StoredPages['whole']>>): string =>
      Buffer.concat(page?.parts ?? []).toString();

    it('makes the lines of entities in the order of their URNs, whatever their numbers', async () => {
      const server = serverOf({
        entity: HEADS,
        aspect: [
          [3, 'status', 'urn:li:corpuser:"ü"'],
          [3, 'tagKey', 'urn:li:corpuser:"ü"'],
          [7, 'tagKey', 'other'],
        ],
        aspect_history: [[3, 4]],
        deleted_aspect: [[5, 'status', 2]],
        claim: [[7, 'name']],
      });
      const page = await new StoredPages(server, selection).whole('', ALL_HEADS, forms, []);
      expect(textOf(page)).toBe(
        [
          'urn:li:tag:a [] [{"entity_id":7,"name":"name"}]',
          '  tag "urn:li:tag:a" tagKey by "other"',
          'urn:li:tag:b" [] []',
          '  tag "urn:li:tag:b\\"" status by "urn:li:corpuser:\\"ü\\""',
          '  tag "urn:li:tag:b\\"" tagKey by "urn:li:corpuser:\\"ü\\""',
          '  before 4',
          'urn:li:tag:c [{"entity_id":5,"aspect":"status","version":2}] []',
          '',
        ].join('\n'),
      );
      expect(page).toMatchObject({ last: 'urn:li:tag:c', entities: 3, aspect: 3, history: 1, event: 0 });
    });

    it('leaves a page alone that has more rows than are read at a time, and counts those of the next first', async () => {
      const history = Array.from({ length: 9 }, (_, i) => [3, i + 1]);
      const server = serverOf({ entity: HEADS, aspect: [[3, 'tagKey', 'x']], aspect_history: history });
      const pages = new StoredPages(server, selection);
      const whole = () => pages.whole('', ALL_HEADS, forms, []);
      expect(await whole()).toBeUndefined();
      const before = server.asked.length;
      expect(await whole()).toBeUndefined();
      expect(server.asked.slice(before).some((sql) => sql.includes('FROM aspect '))).toBe(false);
      history.pop();
      expect(await whole()).toMatchObject({ history: 8 });
      // It knows by now that they are short.
      history.push([3, 9], [3, 10]);
      expect(await whole()).toMatchObject({ history: 10 });
    });

    it('has the heads of the next page beside a page', async () => {
      const server = serverOf({ entity: HEADS, aspect: [[3, 'tagKey', 'x']] });
      const pages = new StoredPages(server, selection);
      await pages.whole('', ALL_HEADS, forms, []);
      const before = server.asked.length;
      expect(await pages.whole('urn:li:tag:c', ALL_HEADS, forms, [])).toBeUndefined();
      expect(server.asked).toHaveLength(before);
    });
  });
});
