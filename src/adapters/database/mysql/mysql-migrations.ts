import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

/** How long one look at the lock lasts, and how many are made: another process may be building a large index. */
const LOCK_S = 10;
const LOCK_TRIES = 180;

/**
 * Brings the schema up to date, in one process at a time. The server cannot take back half a migration, so each is
 * noted before it begins: one that did not end stops every later start, with a word about what to do.
 * @throws Error then, and when another process holds the lock for half an hour.
 */
export async function migrate(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const lock = await lockName(runner);
  await takeLock(runner, lock);
  try {
    await migrateAlone(dataSource, runner);
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [lock]).catch(() => undefined);
  }
}

async function migrateAlone(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  const pending = await executor.getPendingMigrations();
  await refuseHalfDone(runner);
  if (pending.length === 0) return;
  await runner.query(
    `CREATE TABLE IF NOT EXISTS migration_begun (
      name VARBINARY(128) NOT NULL PRIMARY KEY, time BIGINT NOT NULL
    ) ENGINE = InnoDB`,
  );
  for (const migration of pending) {
    await runner.query('INSERT INTO migration_begun (name, time) VALUES (?, ?)', [
      migration.name,
      Date.now(),
    ]);
    await executor.executeMigration(migration);
    await runner.query('DELETE FROM migration_begun WHERE name = ?', [migration.name]);
  }
}

async function refuseHalfDone(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('migration_begun'))) return;
  const rows = (await runner.query(
    'SELECT CONVERT(name USING utf8mb4) AS name, time FROM migration_begun',
  )) as Array<{ name: string; time: number }>;
  const [first] = rows;
  if (first === undefined) return;
  throw new Error(
    `the migration ${first.name} of the database began at ${new Date(Number(first.time)).toISOString()} and did not end. ` +
      'Restore the database from before it, or drop it when it is new, and start again. ' +
      'When you have put the tables right by hand, delete the row from migration_begun',
  );
}

/** Locks are known to the whole server, and have short names. */
async function lockName(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT DATABASE() AS name')) as [{ name: string }];
  return `catalog-migrations-${createHash('sha256').update(row.name).digest('hex').slice(0, 32)}`;
}

async function takeLock(runner: QueryRunner, name: string): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const [row] = (await runner.query('SELECT GET_LOCK(?, ?) AS taken', [name, LOCK_S])) as [
      { taken: unknown },
    ];
    if (Number(row.taken) === 1) return;
    new Logger('Migrations').log('another process brings the database up to date; waiting for it');
  }
  throw new Error('another process has held the lock of the migrations for half an hour');
}
