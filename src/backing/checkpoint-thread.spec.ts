import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../test/harness/until.js';
import { SqliteDatabase } from '../adapters/database/index.js';
import { CheckpointThread } from './checkpoint-thread.js';

describe('the thread that makes checkpoints', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-checkpoints-'));
    file = join(folder, 'catalog.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Pages in the log, and how many of them have been carried over. */
  function stateOfLog(): { log: number; checkpointed: number } {
    const observer = new DatabaseSync(file);
    const state = observer.prepare('PRAGMA wal_checkpoint(NOOP)').get();
    observer.close();
    return state as unknown as { log: number; checkpointed: number };
  }

  /** One commit of so many pages. */
  const write = (database: SqliteDatabase, pages: number) =>
    database.transaction(async (tx) => {
      for (let i = 0; i < pages; i += 1)
        await tx.run('INSERT INTO filling (text) VALUES (?)', ['x'.repeat(4_000)]);
    });

  async function opened(checkpoints: CheckpointThread): Promise<SqliteDatabase> {
    const database = await SqliteDatabase.open(file, [], checkpoints);
    await database.transaction((tx) => tx.run('CREATE TABLE filling (text TEXT)'));
    return database;
  }

  it('carries over what was committed beside the thread that writes, while somebody wants it', async () => {
    const checkpoints = new CheckpointThread();
    const database = await opened(checkpoints);
    await checkpoints.aside(async () => {
      await write(database, 1_500);
      // A commit does not do it: the log is there as it was written.
      expect(stateOfLog()).toMatchObject({ checkpointed: 0 });
      await until(async () => stateOfLog().checkpointed >= 1_500);
      await write(database, 10);
      const { log, checkpointed } = stateOfLog();
      expect(log - checkpointed).toBeLessThan(1_000);
    });
    await database.close();
  });

  it('lets go of the file when it is closed, and follows it again', async () => {
    const checkpoints = new CheckpointThread();
    await checkpoints.aside(async () => {
      for (let round = 1; round <= 3; round += 1) {
        const database = await SqliteDatabase.open(file, [], checkpoints);
        await database.transaction((tx) => tx.run('CREATE TABLE IF NOT EXISTS filling (text TEXT)'));
        await write(database, 1_500);
        if (round === 2) await until(async () => stateOfLog().checkpointed >= 1_500);
        expect(await database.all('SELECT COUNT(*) AS n FROM filling')).toEqual([{ n: round * 1_500 }]);
        await database.close();
        // Whoever closes a database last clears the log away: nobody else had it open.
        expect(existsSync(`${file}-wal`)).toBe(false);
      }
    });
  });

  it('keeps the log of writers who never pause short', async () => {
    const checkpoints = new CheckpointThread();
    const database = await opened(checkpoints);
    await checkpoints.aside(async () => {
      for (let i = 0; i < 100; i += 1) await write(database, 200);
    });
    expect(statSync(`${file}-wal`).size).toBeLessThan((100 * 200 * 4_096) / 2);
    await database.close();
  });

  it('carries over a large commit beside the thread that writes, also without long work', async () => {
    const checkpoints = new CheckpointThread(1);
    const database = await opened(checkpoints);
    await write(database, 6_000);
    expect(stateOfLog()).toMatchObject({ checkpointed: 0 });
    // The next one waits until that is done.
    await write(database, 10);
    const { log, checkpointed } = stateOfLog();
    expect(log - checkpointed).toBeLessThan(1_000);
    await database.close();
  });

  it('is gone some time after the last work, and then checkpoints follow the commits again', async () => {
    const checkpoints = new CheckpointThread(1);
    const database = await opened(checkpoints);
    await checkpoints.aside(async () => undefined);
    await until(async () => {
      await write(database, 1_500);
      return stateOfLog().checkpointed >= 1_500;
    });
    await database.close();
  });

  it('makes them while the disk is slow', async () => {
    const slow = (ms: number): number => {
      let made = 0;
      const checkpoint = (): void => {
        made += 1;
        const ends = performance.now() + ms;
        while (performance.now() < ends);
      };
      const followed = new CheckpointThread().follow({ file, checkpoint });
      for (let i = 0; i < 5; i += 1) followed?.written({ log: 1_500, checkpointed: 0 });
      followed?.release();
      return made;
    };
    // Only the first is made where the commit is.
    expect([slow(0), slow(60)]).toEqual([5, 1]);
  });

  it('is not there for a version of SQLite in which two must not do it at once', async () => {
    const checkpoints = new CheckpointThread(1, '3.50.4');
    const database = await opened(checkpoints);
    await checkpoints.aside(() => write(database, 1_500));
    expect(stateOfLog().checkpointed).toBeGreaterThanOrEqual(1_500);
    await database.close();
    const followed = (version: string) =>
      new CheckpointThread(1, version).follow({ file, checkpoint: () => undefined });
    expect(followed('3.51.2')).toBeUndefined();
    for (const version of ['3.51.3', '3.52.0', '4.0.0']) expect(followed(version)).toBeDefined();
  });
});
