import type { Job, JobRequest, ListedJob } from '../queue/index.js';
import { columnsOf, type Database, type Transaction } from '../store/index.js';
import type { FormerWork } from './former-work.js';
import { jobRow, payloadOf, PENDING_WORK_COLUMNS, RELAXED, type PendingWork } from './pending-work.js';

const w = columnsOf<PendingWork>();

/** What stands longer belongs to jobs that Redis lost while they ran, and that were done under another id since. */
const STALE_MS = 7 * 86_400_000;

/** What is known of a job of which a try did not come to an end. */
export interface TryState {
  /** Tries that ended with their process. */
  unfinished: number;
  suspended: boolean;
}

/**
 * The tries of Bull's jobs, in the table of {@link PendingWork}: so a Redis that was wiped does not forget what processes die
 * of. A job of a processor has a row while it runs; the row stays when the process ends meanwhile.
 */
export class TryLedger {
  constructor(
    private readonly database: Database,
    private readonly former: FormerWork,
  ) {}

  /** Those of the jobs of which something is known. */
  async tryStates(queue: string, jobs: ReadonlyArray<Pick<Job, 'id'>>): Promise<Map<string, TryState>> {
    await this.former.takeOverTries(
      queue,
      jobs.map(({ id }) => id),
    );
    const ids = this.named(jobs);
    const rows = await this.database.all<Pick<PendingWork, 'job' | 'unfinished' | 'put_aside'>>(
      `SELECT ${w.job}, ${w.unfinished}, ${w.put_aside} FROM consumer_backlog
       WHERE ${w.consumer} = ? AND ${ids.sql} AND (${w.unfinished} > 0 OR ${w.put_aside} = 1)`,
      [queue, ...ids.params],
    );
    return new Map(
      rows.map(({ job, unfinished, put_aside }) => [
        job,
        { unfinished: Number(unfinished), suspended: Number(put_aside) === 1 },
      ]),
    );
  }

  /** Counts a try of each job before it begins. @param recorded whether the jobs have rows, unless they are done */
  async begin(queue: string, jobs: readonly Job[], recorded: boolean): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!recorded) await this.add(tx, queue, jobs);
      const ids = this.named(jobs);
      await tx.run(
        `UPDATE consumer_backlog SET ${w.attempts} = ${w.attempts} + 1, ${w.unfinished} = ${w.unfinished} + 1
         WHERE ${w.consumer} = ? AND ${ids.sql}`,
        [queue, ...ids.params],
      );
    }, RELAXED);
  }

  /** The try came to an end that is known. The rows of recorded jobs that are done were deleted by their handler. */
  async end(queue: string, jobs: ReadonlyArray<Pick<Job, 'id'>>, recorded: boolean): Promise<void> {
    const ids = this.named(jobs);
    const change = recorded
      ? `UPDATE consumer_backlog SET ${w.unfinished} = 0`
      : 'DELETE FROM consumer_backlog';
    await this.database.transaction(
      (tx) =>
        tx.run(`${change} WHERE ${w.consumer} = ? AND ${w.put_aside} = 0 AND ${ids.sql}`, [
          queue,
          ...ids.params,
        ]),
      RELAXED,
    );
  }

  /** Enters requests that bring tries with them. */
  async suspect(queue: string, requests: readonly JobRequest[]): Promise<void> {
    await this.database.transaction((tx) => this.add(tx, queue, requests), RELAXED);
  }

  async suspend(queue: string, { id }: Pick<Job, 'id'>, error: string): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run(
        `UPDATE consumer_backlog SET ${w.failed} = 1, ${w.put_aside} = 1, ${w.failures} = ${w.failures} + 1, ${w.last_error} = ?
         WHERE ${w.consumer} = ? AND ${w.job} = ?`,
        [error, queue, id],
      ),
    );
  }

  /** Reasons of the suspended jobs. */
  async reasons(queue: string, ids: readonly string[]): Promise<Map<string, string>> {
    await this.former.takeOverSuspended(queue);
    const named = this.database.dialect.in(w.job, ids);
    const rows = await this.database.all<Pick<PendingWork, 'job' | 'last_error'>>(
      `SELECT ${w.job}, ${w.last_error} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.put_aside} = 1 AND ${named.sql}`,
      [queue, ...named.params],
    );
    return new Map(rows.map(({ job, last_error }) => [job, last_error ?? '']));
  }

  /** The first `limit` suspended jobs. */
  async listed(queue: string, limit: number): Promise<ListedJob[]> {
    await this.former.takeOverSuspended(queue);
    const rows = await this.database.all<Pick<PendingWork, 'job' | 'last_error' | 'unfinished'>>(
      `SELECT ${w.job}, ${w.last_error}, ${w.unfinished} FROM consumer_backlog
       WHERE ${w.consumer} = ? AND ${w.put_aside} = 1 ORDER BY ${w.job} LIMIT ?`,
      [queue, limit],
    );
    return rows.map(({ job, last_error, unfinished }) => ({
      ...{ queue, id: job, error: last_error ?? '' },
      state: 'failed',
      attempts: Number(unfinished),
    }));
  }

  /** Suspended jobs, by queue. */
  async counts(): Promise<Map<string, number>> {
    const rows = await this.database.all<{ queue: string; n: number }>(
      `SELECT ${w.consumer} AS queue, COUNT(*) AS n FROM consumer_backlog WHERE ${w.put_aside} = 1 GROUP BY ${w.consumer}`,
    );
    return new Map(rows.map(({ queue, n }) => [queue, Number(n)]));
  }

  async suspendedJobs(queue: string): Promise<JobRequest[]> {
    await this.former.takeOverSuspended(queue);
    const rows = await this.database.all<Pick<PendingWork, 'job' | 'changes'>>(
      `SELECT ${w.job}, ${w.changes} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.put_aside} = 1`,
      [queue],
    );
    return rows.map(({ job, changes }) => ({ id: job, payload: payloadOf({ changes }) }));
  }

  /** Deletes the attempts of suspended jobs while `enqueue` takes them; when it does not, they stay suspended. */
  async revive(queue: string, jobs: readonly JobRequest[], enqueue: () => Promise<void>): Promise<void> {
    const ids = this.named(jobs);
    const set = (columns: string) =>
      this.database.transaction((tx) =>
        tx.run(`UPDATE consumer_backlog SET ${columns} WHERE ${w.consumer} = ? AND ${ids.sql}`, [
          queue,
          ...ids.params,
        ]),
      );
    await set(`${w.failed} = 0, ${w.put_aside} = 0, ${w.attempts} = 0, ${w.unfinished} = 0`);
    try {
      await enqueue();
    } catch (error) {
      await set(`${w.failed} = 1, ${w.put_aside} = 1`);
      throw error;
    }
  }

  /** Forgets tries of long ago. */
  async sweep(queue: string): Promise<void> {
    await this.former.takeOverSuspended(queue);
    await this.database.transaction(
      (tx) =>
        tx.run(
          `DELETE FROM consumer_backlog
           WHERE ${w.consumer} = ? AND ${w.first_change} = 0 AND ${w.put_aside} = 0 AND ${w.available_at} < ?`,
          [queue, Date.now() - STALE_MS],
        ),
      RELAXED,
    );
  }

  /** Enters jobs that have no row. */
  private async add(tx: Transaction, queue: string, jobs: readonly JobRequest[]): Promise<void> {
    const now = Date.now();
    const rows = jobs.map(({ id, payload, unfinished }) => jobRow(queue, id, payload, now, unfinished));
    await tx.insert<PendingWork>('consumer_backlog', PENDING_WORK_COLUMNS, rows, {
      key: ['consumer', 'job'],
      then: 'ignore',
    });
  }

  private named(jobs: ReadonlyArray<Pick<Job, 'id'>>) {
    return this.database.dialect.in(
      w.job,
      jobs.map(({ id }) => id),
    );
  }
}
