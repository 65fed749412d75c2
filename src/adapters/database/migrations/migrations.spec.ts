import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROWS } from '../../../app.module.js';
import { BACKING_ROWS } from '../../../backing/backing.module.js';
import { SqliteDatabase } from '../sqlite/sqlite-database.js';

describe('migrations', () => {
  let folder: string;
  let database: SqliteDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-migrations-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'), [...BACKING_ROWS, ...ROWS]);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('make the tables that the rows describe, column by column', async () => {
    for (const row of database.dataSource.entityMetadatas) {
      const columns = await database.all<{ name: string; notnull: number; pk: number }>(
        `SELECT name, "notnull", pk FROM pragma_table_info('${row.tableName}')`,
      );
      expect({ table: row.tableName, columns: columns.map((c) => c.name).sort() }).toEqual({
        table: row.tableName,
        columns: row.columns.map((c) => c.databaseName).sort(),
      });
      expect(
        columns
          .filter((c) => c.pk > 0)
          .map((c) => c.name)
          .sort(),
      ).toEqual(row.primaryColumns.map((c) => c.databaseName).sort());
      // No column may be empty: what is not there has a value that says so. One that was added later may: processes of the
      // version before still write the table without it, and a database adds it without copying the table.
      const empty = columns.filter((c) => c.notnull === 0 && c.name !== 'id').map(({ name }) => name);
      const later: Record<string, string[]> = {
        change_log: ['event', 'trace'],
        write_receipt: ['origin'],
        access_token: ['claims'],
        consumer_backlog: ['last_error'],
        aspect: ['observation'],
      };
      expect(empty).toEqual(later[row.tableName] ?? []);
    }
  });

  it('make no table that nobody owns', async () => {
    const tables = await database.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    const described = database.dataSource.entityMetadatas.map((row) => row.tableName);
    const others = tables.map((t) => t.name).filter((name) => !described.includes(name));
    // That of TypeORM itself.
    expect(others).toEqual(['migrations']);
  });

  it('are carried out as well where a command opens the database without rows', async () => {
    const file = join(folder, 'older.db');
    const older = await SqliteDatabase.open(file, [...ROWS]);
    await older.dataSource.undoLastMigration();
    await older.close();

    for (let time = 0; time < 2; time += 1) {
      const opened = await SqliteDatabase.open(file);
      expect(await opened.all('SELECT last_error FROM consumer_backlog')).toEqual([]);
      expect(await opened.transaction((tx) => tx.run('DELETE FROM consumer_backlog'))).toBe(0);
      await opened.close();
    }
  });

  it('can be taken back', async () => {
    const other = await SqliteDatabase.open(join(folder, 'other.db'));
    for (const _ of other.dataSource.migrations) await other.dataSource.undoLastMigration();
    const tables = await other.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('migrations', 'sqlite_sequence')",
    );
    expect(tables).toEqual([]);
    await other.close();
  });
});
