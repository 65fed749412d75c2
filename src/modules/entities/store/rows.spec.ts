import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from '../../../adapters/database/index.js';

import {
  AspectHistoryRow,
  AspectRow,
  DeletedAspectRow,
  EntityRow,
  RelationshipRow,
  TimeseriesAspectRow,
} from './index.js';

const ROWS = [EntityRow, AspectRow, AspectHistoryRow, DeletedAspectRow, RelationshipRow, TimeseriesAspectRow];

describe('the row classes', () => {
  let folder: string;
  let database: SqliteDatabase;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'), ROWS);
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it.each(ROWS)('describe the table as the migrations make it: %p', async (row) => {
    const { tableName, columns, primaryColumns } = database.dataSource.getMetadata(row);
    const table = await database.all<{ name: string; pk: number }>(
      `SELECT name, pk FROM pragma_table_info('${tableName}')`,
    );
    expect(columns.map((c) => c.databaseName)).toEqual(expect.arrayContaining(table.map((c) => c.name)));
    expect(columns).toHaveLength(table.length);
    const key = table.filter((c) => c.pk > 0).sort((a, b) => a.pk - b.pk);
    expect(primaryColumns.map((c) => c.databaseName)).toEqual(key.map((c) => c.name));
    expect(await database.dataSource.getRepository(row as typeof AspectRow).find()).toEqual([]);
  });
});
