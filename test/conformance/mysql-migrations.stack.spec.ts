import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { DataSource, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/adapters/database/migrations/index.js';
import { MysqlDatabase } from '../../src/adapters/database/mysql/mysql-database.js';
import { migrate } from '../../src/adapters/database/mysql/mysql-migrations.js';
import { databaseServers, freshDatabase } from '../harness/stack.js';

/** A start has so many statements at most; a loop that does not end is a fault of its own. */
const MOST = 500;

/** What can be repeated anyway is left out. */
const CHANGE = /^\s*(?:CREATE(?! TABLE IF NOT EXISTS)|ALTER|DROP|INSERT|UPDATE|DELETE|COMMIT)\b/i;
/** Notes of the migrations about themselves. */
const NOTE = /migration_step|migration_begun/;

class Killed extends Error {}

/** A start that is killed with its n-th change to the database (counted from 1): before it is sent, or once it is done. */
async function start(url: string, migrations: typeof MIGRATIONS, at: number, when: 'before' | 'after') {
  const { hostname, port, username, password, pathname } = new URL(url);
  const source = new DataSource({
    type: 'mysql',
    host: hostname,
    port: Number(port),
    username,
    password,
    database: pathname.slice(1),
    charset: 'utf8mb4_bin',
    migrations,
    migrationsTransactionMode: 'none',
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  const send: QueryRunner['query'] = runner.query.bind(runner);
  let count = 0;
  let dead = false;
  runner.query = (async (sql: string, params?: unknown[], structured?: boolean) => {
    if (dead) throw new Killed();
    const here = () => CHANGE.test(sql) && ++count === at;
    if (when === 'before' && here()) {
      dead = true;
      throw new Killed();
    }
    const answer: unknown = await send(sql, params, structured as true);
    // What the server refuses has changed nothing.
    if (when === 'after' && here()) {
      dead = true;
      throw new Killed();
    }
    return answer;
  }) as typeof runner.query;
  try {
    await migrate(source, runner);
    return 'done';
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return 'killed';
  } finally {
    // The connection, its transaction and its locks go with the process.
    await source.destroy();
  }
}

describe.each(databaseServers())('migrations on %s', (_server, serverUrl) => {
  let url: string;
  let drop: () => Promise<void>;
  let connection: Connection;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    ({ url, drop } = await freshDatabase(serverUrl));
    connection = await createConnection(url);
  });
  afterEach(async () => {
    await connection.end();
    await drop();
    Logger.overrideLogger(true);
  });

  const rows = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
  /** The tables as they are, without the numbers that rows have got. */
  async function tables(): Promise<string[]> {
    const names = (await rows('SHOW TABLES')).map((row) => String(Object.values(row)[0]));
    const texts: string[] = [];
    for (const name of names.filter((each) => !NOTE.test(each)).sort()) {
      const [row] = await rows(`SHOW CREATE TABLE ${name}`);
      texts.push(String(row?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, ''));
    }
    return texts;
  }
  async function asMadeAtOnce(migrations: typeof MIGRATIONS = MIGRATIONS): Promise<string[]> {
    const other = await freshDatabase(serverUrl);
    const own = connection;
    connection = await createConnection(other.url);
    try {
      expect(await start(other.url, migrations, 0, 'before')).toBe('done');
      return await tables();
    } finally {
      await connection.end();
      connection = own;
      await other.drop();
    }
  }
  /** Each start gets one change further than the one before it, or as far, when it was killed before that was noted. */
  async function killAtEach(when: 'before' | 'after'): Promise<void> {
    let starts = 0;
    for (let at = 1; ; starts++) {
      expect(starts).toBeLessThan(MOST);
      const seen = await progress();
      if ((await start(url, MIGRATIONS, at, when)) === 'done') return;
      at = (await progress()) === seen ? at + 1 : 1;
    }
  }
  const progress = async () =>
    JSON.stringify([
      await tables(),
      ...(await Promise.all(
        ['migrations', 'migration_step', 'migration_begun'].map((name) =>
          rows(`SELECT COUNT(*) AS n FROM ${name}`).catch(() => []),
        ),
      )),
    ]);

  it.each(['before', 'after'] as const)(
    'of a new database are gone on with when each start is killed %s a change',
    async (when) => {
      await killAtEach(when);
      expect(await tables()).toEqual(await asMadeAtOnce());
      expect(await rows('SELECT * FROM migration_begun')).toEqual([]);
      expect(await rows('SELECT * FROM migration_step')).toEqual([]);
      expect(await rows('SELECT * FROM index_holder')).toHaveLength(1);
      await (await MysqlDatabase.open(new URL(url))).close();
    },
  );

  it.each(['before', 'after'] as const)(
    'from 0007 on are gone on with when each start is killed %s a change, and keep what is there',
    async (when) => {
      const upTo0007 = MIGRATIONS.filter((each) => numberOf(each) <= 7);
      expect(await start(url, upTo0007, 0, 'before')).toBe('done');
      await connection.query(
        `INSERT INTO entity (urn, type, sequence, live, removed, created_at, created_by)
         VALUES ('urn:li:tag:a', 'tag', 1, 1, 0, 0, 'urn:li:corpuser:a')`,
      );
      await killAtEach(when);
      expect(await tables()).toEqual(await asMadeAtOnce());
      expect(await rows('SELECT CONVERT(urn USING utf8mb4) AS urn FROM entity')).toEqual([
        { urn: 'urn:li:tag:a' },
      ]);
    },
  );

  it('that a version without notes left half done are gone on with', async () => {
    const first = MIGRATIONS.slice(0, 1);
    const whole = await asMadeAtOnce();
    expect(await start(url, first, 0, 'before')).toBe('done');
    await connection.query('DELETE FROM migrations');
    await connection.query('DROP TABLE migration_step');
    await connection.query('DROP TABLE access_token');
    await connection.query('DROP INDEX job_due ON job');
    await connection.query('INSERT INTO migration_begun VALUES (?, 0)', ['Catalog1700000000001']);
    await (await MysqlDatabase.open(new URL(url))).close();
    expect(await tables()).toEqual(whole);
  });
});

function numberOf(migration: (typeof MIGRATIONS)[number]): number {
  return Number(new migration().name.slice(-4));
}
