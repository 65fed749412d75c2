import type { Pool } from 'mysql2';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../migrations/index.js';
import type { RowClass } from '../row-class.js';
import { CommitMarkRow } from './commit-mark.row.js';
import { migrate } from './mysql-migrations.js';
import { sessionSql } from './mysql-session.js';
import type { ServerFacts } from './server-facts.js';

/** TypeORM's view of the connections of a pool, with the tables made or migrated. */
export async function migrated(
  pool: Pool,
  facts: ServerFacts,
  rows: readonly RowClass[],
): Promise<DataSource> {
  const source = new DataSource({
    type: 'mysql',
    driver: { createPool: () => pool },
    entities: [CommitMarkRow, ...rows],
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'none',
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query(sessionSql(facts));
    await migrate(source, runner);
    return source;
  } finally {
    await runner.release();
  }
}
