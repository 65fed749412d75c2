import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idle } from '../../../test/harness/idle-queue.js';
import { until } from '../../../test/harness/until.js';
import { TryLedger } from '../../catalog/pending-work/index.js';
import type { Job } from '../../catalog/queue/index.js';
import { SqliteDatabase } from '../database/index.js';
import { NodeSqliteDriver } from '../database/sqlite/node-sqlite-driver.js';
import { MIGRATIONS } from '../database/migrations/index.js';
import { FormerJobs } from './former-jobs.js';
import { TableJobQueue } from './table/index.js';

const HOUR = 3_600_000;
const FORMER = MIGRATIONS.filter((each) => Number(new each().name.slice(-4)) <= 16);

/** A job as the version before writes it. */
function jobOf(queue: string, id: string, more: Partial<Record<string, number | string>> = {}) {
  const row = { attempts: 0, run_at: 1, lease_until: 0, failed: 0, error: '', unfinished: 0, ...more };
  return { queue, id, payload: JSON.stringify({ of: id }), ...row };
}

describe('jobs of the version before', () => {
  let folder: string;
  let file: string;
  let database: SqliteDatabase | undefined;
  let queue: TableJobQueue | undefined;

  /** Leaves rows in a database that the version before made. */
  async function leave(jobs: Array<ReturnType<typeof jobOf>>, deliveries: string[] = []): Promise<void> {
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: NodeSqliteDriver,
      database: file,
      migrations: FORMER,
      migrationsTransactionMode: 'all',
    });
    await source.initialize();
    await source.runMigrations();
    await source.destroy();
    const connection = new DatabaseSync(file);
    add(connection, jobs);
    for (const id of deliveries)
      connection
        .prepare("INSERT INTO consumer_backlog VALUES ('search', ?, 7, '[[7,9]]', 3, 1, 0, 0, 0)")
        .run(id);
    connection.close();
  }
  function add(connection: DatabaseSync, jobs: Array<ReturnType<typeof jobOf>>): void {
    for (const job of jobs) {
      const names = Object.keys(job);
      connection
        .prepare(
          `INSERT INTO job (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
        )
        .run(job);
    }
  }
  const open = async () => (database = await SqliteDatabase.open(file));
  const left = () => database!.all<{ id: string }>('SELECT id FROM job');
  async function run(
    options: ConstructorParameters<typeof TableJobQueue>[1],
    name = 'removal',
  ): Promise<Job[]> {
    const seen: Job[] = [];
    queue = new TableJobQueue(database ?? (await open()), options);
    queue.process(name, { batch: 10 }, async (jobs) => void seen.push(...jobs));
    await until(async () => (await left()).every(({ id }) => id === 'held-by-another'));
    await idle(queue, name);
    return seen;
  }

  beforeEach(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'former-jobs-'));
    file = join(folder, 'catalog.db');
  });
  afterEach(async () => {
    await queue?.close();
    await database?.close();
    [queue, database] = [undefined, undefined];
    await rm(folder, { recursive: true });
    Logger.overrideLogger(true);
  });

  it('are carried out by a process that is alone, also those that a process held when it ended', async () => {
    await leave([
      jobOf('removal', 'waits'),
      jobOf('removal', 'held', { lease_until: Date.now() + HOUR, attempts: 1 }),
    ]);
    const seen = await run({ reclaimAtStart: true, pollMs: HOUR });
    expect(seen.map(({ id, payload, attempt }) => [id, payload, attempt]).sort()).toEqual([
      ['held', { of: 'held' }, 2],
      ['waits', { of: 'waits' }, 1],
    ]);
    expect(await left()).toEqual([]);
    expect(await database!.all('SELECT job FROM consumer_backlog')).toEqual([]);
  });

  it('are taken over from processes beside this one, unless those hold them', async () => {
    await leave([jobOf('removal', 'held-by-another', { lease_until: Date.now() + HOUR })]);
    expect(await run({ pollMs: 20 })).toEqual([]);
    expect(await left()).toEqual([{ id: 'held-by-another' }]);
    const connection = new DatabaseSync(file);
    add(connection, [jobOf('removal', 'later')]);
    connection.exec("UPDATE job SET lease_until = 1 WHERE id = 'held-by-another'");
    connection.close();
    const seen: string[] = [];
    await queue!.close();
    queue = new TableJobQueue(database!, { pollMs: 20 });
    queue.process('removal', { batch: 10 }, async (jobs) => void seen.push(...jobs.map(({ id }) => id)));
    await until(async () => seen.length === 2);
    expect(seen.sort()).toEqual(['held-by-another', 'later']);
    expect(await left()).toEqual([]);
  });

  it('that failed or are suspended stay so, with their reason, until they are retried', async () => {
    await leave([
      jobOf('removal', 'failed', { failed: 1, attempts: 10, error: 'broken' }),
      jobOf('removal', 'deadly', { failed: 1, attempts: 3, unfinished: 3, error: 'the process ended' }),
    ]);
    expect(await run({ reclaimAtStart: true })).toEqual([]);
    expect(await queue!.list('removal', ['failed'], 10)).toEqual([
      { queue: 'removal', id: 'deadly', state: 'failed', attempts: 3, error: 'the process ended' },
      { queue: 'removal', id: 'failed', state: 'failed', attempts: 10, error: 'broken' },
    ]);
    expect(await queue!.retryFailed('removal')).toBe(2);
    await idle(queue!, 'removal');
    expect((await queue!.stats())['removal']?.failed).toBe(0);
  });

  it('of the change log are what is pending: their tries count, and those that are done are forgotten', async () => {
    const ranges = JSON.stringify({ ranges: [[7, 9]] });
    await leave(
      [
        { ...jobOf('search', 'pending', { attempts: 2, unfinished: 1 }), payload: ranges },
        { ...jobOf('search', 'done'), payload: ranges },
      ],
      ['pending', 'new'],
    );
    const seen = await run({ reclaimAtStart: true, pollMs: HOUR }, 'search');
    expect(seen).toEqual([
      { id: 'new', payload: { ranges: [[7, 9]] }, attempt: 1 },
      { id: 'pending', payload: { ranges: [[7, 9]] }, attempt: 3, unfinished: 1 },
    ]);
    expect(await left()).toEqual([]);
  });

  it('on Redis keep the tries that processes ended with, and what is suspended', async () => {
    await leave([
      jobOf('removal', 'died', { unfinished: 2 }),
      jobOf('removal', 'other', { unfinished: 1 }),
      jobOf('removal', 'deadly', { failed: 1, unfinished: 3, error: 'the process ended' }),
    ]);
    const opened = await open();
    const ledger = new TryLedger(opened, new FormerJobs(opened));
    expect(await ledger.listed('removal', 10)).toEqual([
      { queue: 'removal', id: 'deadly', state: 'failed', attempts: 3, error: 'the process ended' },
    ]);
    expect(await ledger.tryStates('removal', [{ id: 'died' }, { id: 'fresh' }])).toEqual(
      new Map([['died', { unfinished: 2, suspended: false }]]),
    );
    // It runs in a process of the version before, which counts for itself.
    expect(await left()).toEqual([{ id: 'other' }]);
  });
});
