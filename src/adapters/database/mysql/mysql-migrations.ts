import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { migrationSteps } from './migration-steps.js';

/** How long one look at the lock lasts, and how many are made: another process may be building a large index. */
const LOCK_S = 10;
const LOCK_TRIES = 180;

/**
 * Brings the schema up to date, in one process at a time. A MySQL server cannot roll back the changes of tables.
 * Therefore each statement of a migration is recorded when it is done (see {@link migrationSteps}), and the next
 * start continues there.
 * @throws Error when another process holds the lock for half an hour, or a migration of another version was not
 *   finished
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
  const begun = await readBegun(runner);
  const [foreign] = begun.filter(({ name }) => dataSource.migrations.every((known) => known.name !== name));
  if (foreign !== undefined) throw refused(foreign);
  if (pending.length === 0 && begun.length === 0) return;
  await makeNotes(runner);
  // The end of these came between their last statement and the end of their notes.
  for (const { name } of begun) if (pending.every((other) => other.name !== name)) await forget(runner, name);
  for (const migration of pending) {
    const { name, instance } = migration;
    const before = begun.find((other) => other.name === name);
    if (before !== undefined) {
      new Logger('Migrations').log(`going on with ${name}, which began at ${timeOf(before)} and did not end`);
    }
    const steps = await migrationSteps(runner, name, before !== undefined);
    if (before === undefined) {
      await runner.query('INSERT INTO migration_begun (name, time) VALUES (?, ?)', [name, Date.now()]);
    }
    if (instance) migration.instance = { up: () => instance.up(steps), down: () => instance.down(steps) };
    await executor.executeMigration(migration);
    await forget(runner, name);
  }
}

interface Begun {
  name: string;
  time: number;
}

async function readBegun(runner: QueryRunner): Promise<Begun[]> {
  if (!(await runner.hasTable('migration_begun'))) return [];
  return (await runner.query(
    'SELECT CONVERT(name USING utf8mb4) AS name, time FROM migration_begun',
  )) as Begun[];
}

async function makeNotes(runner: QueryRunner): Promise<void> {
  await runner.query(
    `CREATE TABLE IF NOT EXISTS migration_begun (
      name VARBINARY(128) NOT NULL PRIMARY KEY, time BIGINT NOT NULL
    ) ENGINE = InnoDB`,
  );
  await runner.query(
    `CREATE TABLE IF NOT EXISTS migration_step (
      migration VARBINARY(128) NOT NULL, statement VARBINARY(128) NOT NULL, PRIMARY KEY (migration, statement)
    ) ENGINE = InnoDB`,
  );
}

async function forget(runner: QueryRunner, name: string): Promise<void> {
  await runner.query('DELETE FROM migration_step WHERE migration = ?', [name]);
  await runner.query('DELETE FROM migration_begun WHERE name = ?', [name]);
}

function timeOf({ time }: Begun): string {
  return new Date(Number(time)).toISOString();
}

function refused(begun: Begun): Error {
  return new Error(
    `the migration ${begun.name} of the database began at ${timeOf(begun)} and did not end, and this version does not ` +
      'have it. Start the version that began it, which goes on with it, or restore the database from before it. ' +
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
