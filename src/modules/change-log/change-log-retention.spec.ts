import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { PrometheusMeter } from '../../adapters/metrics/index.js';
import { ChangeLogConsumer } from '../../catalog/change/index.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { CHANGE_LOG_COLUMNS } from './change-log-columns.js';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const COLUMNS = ['id', ...CHANGE_LOG_COLUMNS];

class Indexer extends ChangeLogConsumer {
  readonly name = 'search-index';
  async consume(): Promise<void> {}
}

describe('cleaning the change log up', () => {
  let folder: string;
  let database: SqliteDatabase;
  let cleanup: ChangeLogRetention;
  let meter: PrometheusMeter;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catachange-log-retention-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    meter = new PrometheusMeter();
    const settings = { role: 'all', changeLogDays: 30, feedHoldDays: 10 } as const;
    const discovery = { getProviders: () => [{ instance: new Indexer() }] } as never;
    cleanup = new ChangeLogRetention(database, new PendingDeliveries(database), settings, discovery, meter);
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  /** Changes from one number to another, published unless told otherwise, so many days old. */
  const log = (from: number, to: number, days: number, published = true) =>
    database.transaction((tx) =>
      tx.insert(
        'change_log',
        COLUMNS,
        Array.from({ length: to - from + 1 }, (_, i) => {
          const id = from + i;
          return [
            id,
            1,
            'tagProperties',
            'UPSERT',
            1,
            0,
            1,
            'a',
            NOW - days * DAY,
            'r',
            published ? id : 0,
            null,
          ];
        }),
      ),
    );
  const openFrom = (change: number, consumer = 'search-index', days = 0) =>
    database.transaction((tx) =>
      tx.insert(
        'consumer_backlog',
        ['consumer', 'job', 'first_change', 'changes', 'change_count', 'created_at', 'rung_at', 'failures'],
        [[consumer, 'j', change, '[]', 1, NOW - days * DAY, 0, 0]],
      ),
    );
  /** What a sweep removes; a dry run has said as much before. */
  const sweep = async (): Promise<number> => {
    const due = await cleanup.due(NOW);
    const removed = await cleanup.sweep(NOW);
    expect(due).toBe(removed);
    return removed;
  };
  const left = async () => {
    const rows = await database.all<{ id: number }>('SELECT id FROM change_log ORDER BY id');
    return rows.map(({ id }) => id);
  };

  it('removes what is old, in slices, and keeps what is young', async () => {
    await log(1, 2500, 31);
    await log(2501, 2510, 29);
    expect(await sweep()).toBe(2500);
    expect((await meter.exposition()).text).toContain('\ncatalog_change_log_removed_total 2500\n');
    expect((await left())[0]).toBe(2501);
    expect(await sweep()).toBe(0);
  });

  it('keeps the newest change however old it is: numbers and positions go on from it', async () => {
    await log(1, 10, 400);
    expect(await sweep()).toBe(9);
    expect(await left()).toEqual([10]);
  });

  it('keeps what a consumer has yet to do, and everything after it', async () => {
    await log(1, 10, 400);
    await openFrom(4);
    expect(await sweep()).toBe(3);
    expect(await left()).toEqual([4, 5, 6, 7, 8, 9, 10]);
  });

  it('keeps what waits for a consumer that this version does not have for a while, and no longer', async () => {
    await log(1, 10, 400);
    await openFrom(4, 'former', 39);
    expect(await sweep()).toBe(3);
    await database.transaction((tx) => tx.run('DELETE FROM consumer_backlog'));
    await openFrom(4, 'former', 41);
    await openFrom(8, 'search-index', 41);
    expect(await sweep()).toBe(4);
    expect(await left()).toEqual([8, 9, 10]);
    const waiting = await database.all<{ consumer: string }>('SELECT consumer FROM consumer_backlog');
    expect(waiting.map(({ consumer }) => consumer)).toEqual(['search-index']);
  });

  it('keeps what is not published', async () => {
    await log(1, 3, 400);
    await log(4, 4, 400, false);
    await log(5, 6, 400);
    expect(await sweep()).toBe(3);
    expect(await left()).toEqual([4, 5, 6]);
  });

  it('keeps the change with the highest position', async () => {
    await log(1, 5, 400);
    await database.transaction((tx) => tx.run('UPDATE change_log SET position = 99 WHERE id = 3'));
    expect(await sweep()).toBe(2);
    expect(await left()).toEqual([3, 4, 5]);
  });

  it('has nothing to do on an empty log', async () => {
    expect(await sweep()).toBe(0);
  });
});
