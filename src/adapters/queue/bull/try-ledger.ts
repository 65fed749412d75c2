import type { Job, JobRequest, ListedJob } from '../../../catalog/queue/index.js';
import type { Database } from '../../../catalog/store/index.js';
import { JOB_COLUMNS, RELAXED } from '../job-rows.js';
import type { JobRow } from '../job.row.js';

/** What stands longer belongs to jobs that Redis lost while they ran, and that were done under another id since. */
const STALE_MS = 7 * 86_400_000;

/** What is known of a job of which a try did not come to an end. */
export interface TryState {
  /** Tries that ended with their process. */
  unfinished: number;
  suspended: boolean;
}

/**
 * The tries of Bull's jobs, in the `job` table of the database: a row stands there while a job runs, and stays when the
 * process ends meanwhile. So a Redis that was wiped does not forget what processes die of.
 */
export class TryLedger {
  constructor(private readonly database: Database) {}

  /** Those of the jobs of which something is known. */
  async tryStates(queue: string, jobs: ReadonlyArray<Pick<Job, 'id'>>): Promise<Map<string, TryState>> {
    const ids = this.named(jobs);
    const rows = await this.database.all<Pick<JobRow, 'id' | 'unfinished' | 'failed'>>(
      `SELECT id, unfinished, failed FROM job WHERE queue = ? AND ${ids.sql}`,
      [queue, ...ids.params],
    );
    return new Map(
      rows.map(({ id, unfinished, failed }) => [
        id,
        { unfinished: Number(unfinished), suspended: Number(failed) === 1 },
      ]),
    );
  }

  /** Counts a try of each job before it begins. */
  async begin(queue: string, jobs: readonly Job[]): Promise<void> {
    const now = Date.now();
    const rows = jobs.map(({ id, payload, unfinished = 0 }) => [
      ...[queue, id, JSON.stringify(payload), 0, now, 0, false, ''],
      unfinished + 1,
    ]);
    const set: Array<keyof JobRow> = ['unfinished', 'run_at'];
    await this.database.transaction(
      (tx) => tx.insert<JobRow>('job', JOB_COLUMNS, rows, { key: ['queue', 'id'], then: 'update', set }),
      RELAXED,
    );
  }

  /** The try came to an end that is known, whichever. */
  async end(queue: string, jobs: ReadonlyArray<Pick<Job, 'id'>>): Promise<void> {
    const ids = this.named(jobs);
    await this.database.transaction(
      (tx) => tx.run(`DELETE FROM job WHERE queue = ? AND failed = 0 AND ${ids.sql}`, [queue, ...ids.params]),
      RELAXED,
    );
  }

  /** Enters requests that bring tries with them. */
  async suspect(queue: string, requests: readonly JobRequest[]): Promise<void> {
    const now = Date.now();
    const rows = requests.map(({ id, payload, unfinished = 0 }) => [
      ...[queue, id, JSON.stringify(payload), 0, now, 0, false, ''],
      unfinished,
    ]);
    await this.database.transaction(
      (tx) => tx.insert<JobRow>('job', JOB_COLUMNS, rows, { key: ['queue', 'id'], then: 'ignore' }),
      RELAXED,
    );
  }

  async suspend(queue: string, { id }: Pick<Job, 'id'>, error: string): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run('UPDATE job SET failed = 1, error = ? WHERE queue = ? AND id = ?', [error, queue, id]),
    );
  }

  /** Reasons of the suspended jobs. */
  async reasons(queue: string, ids: readonly string[]): Promise<Map<string, string>> {
    const named = this.database.dialect.in('id', ids);
    const rows = await this.database.all<Pick<JobRow, 'id' | 'error'>>(
      `SELECT id, error FROM job WHERE queue = ? AND failed = 1 AND ${named.sql}`,
      [queue, ...named.params],
    );
    return new Map(rows.map(({ id, error }) => [id, error]));
  }

  /** The first `limit` suspended jobs. */
  async listed(queue: string, limit: number): Promise<ListedJob[]> {
    const rows = await this.database.all<Pick<JobRow, 'id' | 'error' | 'unfinished'>>(
      'SELECT id, error, unfinished FROM job WHERE queue = ? AND failed = 1 ORDER BY id LIMIT ?',
      [queue, limit],
    );
    return rows.map(({ id, error, unfinished }) => ({
      ...{ queue, id, error },
      state: 'failed',
      attempts: Number(unfinished),
    }));
  }

  /** Suspended jobs, by queue. */
  async counts(): Promise<Map<string, number>> {
    const rows = await this.database.all<{ queue: string; n: number }>(
      'SELECT queue, COUNT(*) AS n FROM job WHERE failed = 1 GROUP BY queue',
    );
    return new Map(rows.map(({ queue, n }) => [queue, Number(n)]));
  }

  async suspendedJobs(queue: string): Promise<JobRequest[]> {
    const rows = await this.database.all<Pick<JobRow, 'id' | 'payload'>>(
      'SELECT id, payload FROM job WHERE queue = ? AND failed = 1',
      [queue],
    );
    return rows.map(({ id, payload }) => ({ id, payload: JSON.parse(payload) as JobRequest['payload'] }));
  }

  /** Deletes the attempts of suspended jobs while `enqueue` takes them; when it does not, they stay suspended. */
  async revive(queue: string, jobs: readonly JobRequest[], enqueue: () => Promise<void>): Promise<void> {
    const ids = this.named(jobs);
    const set = (columns: string) =>
      this.database.transaction((tx) =>
        tx.run(`UPDATE job SET ${columns} WHERE queue = ? AND ${ids.sql}`, [queue, ...ids.params]),
      );
    await set('failed = 0, unfinished = 0');
    try {
      await enqueue();
    } catch (error) {
      await set('failed = 1');
      throw error;
    }
  }

  /** Forgets tries of long ago. */
  async sweep(queue: string): Promise<void> {
    await this.database.transaction(
      (tx) =>
        tx.run('DELETE FROM job WHERE queue = ? AND failed = 0 AND run_at < ?', [
          queue,
          Date.now() - STALE_MS,
        ]),
      RELAXED,
    );
  }

  private named(jobs: ReadonlyArray<Pick<Job, 'id'>>) {
    return this.database.dialect.in(
      'id',
      jobs.map(({ id }) => id),
    );
  }
}
