import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SqliteDatabase } from '../../src/adapters/database/index.js';
import { TableJobQueue, type TableJobQueueOptions } from '../../src/adapters/queue/table/index.js';
import { jobQueueConformance, type QueueTiming } from './job-queue.conformance.js';
import { idle } from '../harness/idle-queue.js';

/** A database file; every queue gets a connection of its own, as if it were a process. */
class QueueFile {
  private readonly databases: SqliteDatabase[] = [];

  private constructor(private readonly folder: string) {}

  static async make(): Promise<QueueFile> {
    return new QueueFile(await mkdtemp(join(tmpdir(), 'job-queue-')));
  }

  async database(): Promise<SqliteDatabase> {
    const database = await SqliteDatabase.open(join(this.folder, 'catalog.db'));
    this.databases.push(database);
    return database;
  }

  async open(options: TableJobQueueOptions): Promise<TableJobQueue> {
    return new TableJobQueue(await this.database(), options);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.databases.map((database) => database.close()));
    await rm(this.folder, { recursive: true });
  }
}

jobQueueConformance('TableJobQueue', async (timing: QueueTiming) => {
  const file = await QueueFile.make();
  return {
    open: ({ mute = false, ...own } = {}) =>
      file.open({ ...timing, pollMs: 100, ...(mute && { renewMs: 3_600_000 }), ...own }),
    dispose: () => file.dispose(),
  };
});

describe('TableJobQueue', () => {
  let file: QueueFile;
  const queues: TableJobQueue[] = [];

  async function open(options: TableJobQueueOptions): Promise<TableJobQueue> {
    const queue = await file.open(options);
    queues.push(queue);
    return queue;
  }

  beforeEach(async () => {
    Logger.overrideLogger(false);
    file = await QueueFile.make();
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.close()));
    await file.dispose();
    Logger.overrideLogger(true);
  });

  it('wakes at an enqueue of its own process, and at the time of the next attempt, without a poll', async () => {
    const queue = await open({ pollMs: 3_600_000, firstPauseMs: 30 });
    const seen: string[] = [];
    queue.process('q', { batch: 10 }, async ([job]) => {
      seen.push(`${job?.id} ${job?.attempt}`);
      if (job?.id === 'again' && job.attempt === 1) throw new Error('once');
    });
    await queue.enqueue('q', [{ id: 'now', payload: {} }]);
    await idle(queue, 'q');
    await queue.enqueue('q', [{ id: 'again', payload: {} }]);
    await idle(queue, 'q');
    expect(seen).toEqual(['now 1', 'again 1', 'again 2']);
  });

  it('frees the leases of a dead process at start when it is told that it is alone', async () => {
    const dead = await open({ leaseMs: 3_600_000 });
    let started: () => void = () => undefined;
    let revive: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const stopped = new Promise<void>((resolve) => (revive = resolve));
    dead.process('q', { batch: 10 }, async () => {
      started();
      await stopped;
    });
    await dead.enqueue('q', [{ id: 'a', payload: {} }]);
    await running;

    const heir = await open({ leaseMs: 3_600_000, reclaimAtStart: true });
    const attempts: number[] = [];
    heir.process('q', { batch: 10 }, async (jobs) => void attempts.push(...jobs.map((job) => job.attempt)));
    await idle(heir, 'q');
    expect(attempts).toEqual([2]);
    revive();
  });

  it('gives a job up whose every run ends without an answer', async () => {
    const database = await file.database();
    const queue = new TableJobQueue(database, { reclaimAtStart: true });
    queues.push(queue);
    await queue.enqueue('q', [{ id: 'deadly', payload: {} }]);
    // Three runs that left nothing behind but their count.
    await database.transaction((tx) =>
      tx.run('UPDATE consumer_backlog SET attempts = 3, unfinished = 3, lease_until = 1'),
    );
    let runs = 0;
    queue.process('q', { batch: 10, attempts: 2 }, async () => void runs++);
    await idle(queue, 'q');
    expect(runs).toBe(0);
    expect((await queue.stats()).q?.failed).toBe(1);
  });

  it('keeps the beginning of the error message, and no stack', async () => {
    const database = await file.database();
    const queue = new TableJobQueue(database);
    queues.push(queue);
    queue.process('q', { batch: 1, attempts: 1 }, async () => {
      throw new Error('x'.repeat(5000));
    });
    await queue.enqueue('q', [{ id: 'a', payload: {} }]);
    await idle(queue, 'q');
    const rows = await database.all<{ error: string }>('SELECT last_error AS error FROM consumer_backlog');
    expect(rows.map((row) => row.error)).toEqual(['x'.repeat(2000)]);
  });
});
