import {
  JOB_STATES,
  type Job,
  type JobRequest,
  type JobState,
  type ListedJob,
  type QueueStats,
} from '../queue/index.js';
import { columnsOf, type Database, type SqlValue, type Transaction } from '../store/index.js';
import type { FormerWork } from './former-work.js';
import { jobRow, payloadOf, PENDING_WORK_COLUMNS, RELAXED, type PendingWork } from './pending-work.js';

/** The most jobs added in one transaction, so that a long list does not hold the writer. */
const ADD_AT_ONCE = 1000;

const w = columnsOf<PendingWork>();

/** A process of the version before sets `put_aside` alone. */
const OPEN = `${w.failed} = 0 AND ${w.put_aside} = 0`;
const FAILED = `(${w.failed} = 1 OR ${w.put_aside} = 1)`;

/** Jobs taken together, and the lease that shows they are still ours. */
export interface Claim {
  jobs: Job[];
  lease: number;
  /** Earlier tries of the first job that ended with their process. */
  unfinished: number;
}

/**
 * The leases and tries of pending work, in its table.
 *
 * A waiting job has `lease_until` 0 (or in the past: its runner died). A running one carries the end of its lease,
 * always an even number; the odd number after it says that the job was asked for again while it ran. So a runner
 * that finishes removes only what carries its own lease, and puts back what was asked for meanwhile.
 * `unfinished` counts tries before they begin, and is set back when one ends in any way that can be written down.
 */
export class JobTable {
  constructor(
    private readonly database: Database,
    private readonly former: FormerWork,
  ) {}

  private change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work, RELAXED);
  }

  async add(queue: string, requests: readonly JobRequest[]): Promise<void> {
    for (let from = 0; from < requests.length; from += ADD_AT_ONCE) {
      const some = requests.slice(from, from + ADD_AT_ONCE);
      await this.change((tx) => this.addSome(tx, queue, some));
    }
  }

  private async addSome(tx: Transaction, queue: string, requests: readonly JobRequest[]): Promise<void> {
    const now = Date.now();
    const payloads = new Map<string, JobRequest['payload']>();
    const values: SqlValue[][] = [];
    for (const { id, payload, unfinished } of requests) {
      if (payloads.has(id)) continue;
      payloads.set(id, payload);
      values.push(jobRow(queue, id, payload, now, unfinished));
    }
    await tx.insert<PendingWork>('consumer_backlog', PENDING_WORK_COLUMNS, values, {
      key: ['consumer', 'job'],
      then: 'ignore',
    });

    // A waiting job covers the new request; one that runs has perhaps read its state already, and one that
    // failed would never run: these two take the request over.
    const ids = tx.dialect.in(w.job, [...payloads.keys()]);
    // A suspended one is left where it is.
    const taken = await tx.all<Pick<PendingWork, 'job' | 'lease_until'>>(
      `SELECT ${w.job}, ${w.lease_until} FROM consumer_backlog
       WHERE ${w.consumer} = ? AND ${ids.sql} AND (${w.lease_until} > 0 OR (${w.failed} = 1 AND ${w.put_aside} = 0))
       ${tx.dialect.forUpdate}`,
      [queue, ...ids.params],
    );
    for (const { job, lease_until } of taken) {
      const lease = Number(lease_until);
      await tx.run(
        `UPDATE consumer_backlog SET ${w.changes} = ?, ${w.available_at} = ?, ${w.lease_until} = ?, ${w.failed} = 0, ${w.last_error} = NULL,
           ${w.attempts} = CASE WHEN ${w.lease_until} = 0 THEN 0 ELSE ${w.attempts} END
         WHERE ${w.consumer} = ? AND ${w.job} = ?`,
        [JSON.stringify(payloads.get(job)), now, lease === 0 ? 0 : askedAgain(lease), queue, job],
      );
    }
  }

  /** When the next unleased job may start; undefined when there is none. */
  async nextDue(queue: string): Promise<number | undefined> {
    const rows = await this.database.all<Pick<PendingWork, 'available_at'>>(
      `SELECT ${w.available_at} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${OPEN} AND ${w.lease_until} <= ?
       ORDER BY ${w.available_at} LIMIT 1`,
      [queue, Date.now()],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].available_at);
  }

  /**
   * Leases the jobs due, by start time and id. Jobs that never ran come together, one that did comes alone:
   * what made it stop (an exception, the death of the process) shall not take others along.
   * @param suspectFirst whether a job that a process may have died of goes before the others, not behind them
   */
  claim(queue: string, limit: number, leaseMs: number, suspectFirst = false): Promise<Claim> {
    return this.change(async (tx) => {
      const now = Date.now();
      const lease = evenAfter(now + leaseMs);
      // With several processes the rows are locked until the lease stands, so no two take the same job.
      const read = (which: string, order: string, most: number) =>
        tx.all<Pick<PendingWork, 'job' | 'changes' | 'attempts' | 'unfinished'>>(
          `SELECT ${w.job}, ${w.changes}, ${w.attempts}, ${w.unfinished} FROM consumer_backlog
           WHERE ${w.consumer} = ? AND ${OPEN} AND ${w.available_at} <= ? AND ${w.lease_until} <= ? AND ${which}
           ORDER BY ${order} LIMIT ? ${tx.dialect.forUpdate}`,
          [queue, now, now, most],
        );
      const calm = () => read(`${w.unfinished} = 0`, `${w.available_at}, ${w.job}`, limit);
      // What several processes have died of comes behind what one has.
      const suspect = () => read(`${w.unfinished} > 0`, `${w.unfinished}, ${w.available_at}, ${w.job}`, 1);
      const [first, second] = suspectFirst ? [suspect, calm] : [calm, suspect];
      let due = await first();
      if (due.length === 0) due = await second();
      const retried = due.findIndex((row) => Number(row.attempts) > 0);
      const rows = retried === -1 ? due : due.slice(0, Math.max(retried, 1));
      if (rows.length > 0) {
        const ids = tx.dialect.in(
          w.job,
          rows.map((row) => row.job),
        );
        await tx.run(
          `UPDATE consumer_backlog SET ${w.attempts} = ${w.attempts} + 1, ${w.unfinished} = ${w.unfinished} + 1, ${w.lease_until} = ?
           WHERE ${w.consumer} = ? AND ${ids.sql}`,
          [lease, queue, ...ids.params],
        );
      }
      const jobs = rows.map(({ job, changes, attempts, unfinished }) => ({
        id: job,
        payload: payloadOf({ changes }),
        attempt: Number(attempts) + 1,
        ...(Number(unfinished) > 0 && { unfinished: Number(unfinished) }),
      }));
      return { jobs, lease, unfinished: Number(rows[0]?.unfinished ?? 0) };
    });
  }

  /** Removes what is done. */
  finish(queue: string, { jobs, lease }: Claim): Promise<void> {
    return this.change(async (tx) => {
      const ids = tx.dialect.in(
        w.job,
        jobs.map((job) => job.id),
      );
      const params = [queue, ...ids.params];
      const removed = await tx.run(
        `DELETE FROM consumer_backlog WHERE ${w.consumer} = ? AND ${ids.sql} AND ${w.lease_until} = ?`,
        [...params, lease],
      );
      if (removed === jobs.length) return;
      await tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0, ${w.attempts} = 0, ${w.unfinished} = 0
         WHERE ${w.consumer} = ? AND ${ids.sql} AND ${w.lease_until} = ?`,
        [...params, askedAgain(lease)],
      );
    });
  }

  /** Holds the jobs for longer; answers the claim as it stands now, which lacks the jobs that are no longer ours. */
  renew(queue: string, { jobs, lease, unfinished }: Claim, leaseMs: number): Promise<Claim> {
    return this.change(async (tx) => {
      const next = Math.max(evenAfter(Date.now() + leaseMs), lease + 2);
      const ids = tx.dialect.in(
        w.job,
        jobs.map((job) => job.id),
      );
      const params = [queue, ...ids.params];
      // What was asked for again keeps its mark.
      await tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = ${w.lease_until} + ? WHERE ${w.consumer} = ? AND ${ids.sql} AND ${w.lease_until} IN (?, ?)`,
        [next - lease, ...params, lease, askedAgain(lease)],
      );
      return { jobs, lease: next, unfinished };
    });
  }

  /** Puts back a batch whose jobs shall be tried one by one. */
  async release(queue: string, { jobs, lease }: Claim): Promise<void> {
    await this.change((tx) => {
      const ids = tx.dialect.in(
        w.job,
        jobs.map((job) => job.id),
      );
      return tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0, ${w.unfinished} = 0
         WHERE ${w.consumer} = ? AND ${ids.sql} AND ${w.lease_until} IN (?, ?)`,
        [queue, ...ids.params, lease, askedAgain(lease)],
      );
    });
  }

  /** Puts a job that failed back for `runAt`, or removes it when `runAt` is undefined. */
  async postpone(
    queue: string,
    id: string,
    lease: number,
    error: string,
    runAt: number | undefined,
  ): Promise<void> {
    await this.change(async (tx) => {
      const changed = await tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0, ${w.unfinished} = 0, ${w.available_at} = ?, ${w.failed} = ?, ${w.last_error} = ?
         WHERE ${w.consumer} = ? AND ${w.job} = ? AND ${w.lease_until} = ?`,
        [runAt ?? Date.now(), runAt === undefined, error, queue, id, lease],
      );
      if (changed > 0) return;
      await tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0, ${w.attempts} = 0, ${w.unfinished} = 0
         WHERE ${w.consumer} = ? AND ${w.job} = ? AND ${w.lease_until} = ?`,
        [queue, id, askedAgain(lease)],
      );
    });
  }

  /** Suspends a job that crashes its processes. */
  async suspend(queue: string, id: string, lease: number, error: string): Promise<void> {
    await this.change((tx) =>
      tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0, ${w.failed} = 1, ${w.put_aside} = 1, ${w.failures} = ${w.failures} + 1, ${w.last_error} = ?
         WHERE ${w.consumer} = ? AND ${w.job} = ? AND ${w.lease_until} = ?`,
        [error, queue, id, lease],
      ),
    );
  }

  /** Takes over jobs of processes of the version before that no process holds. */
  takeOver(queue: string): Promise<void> {
    return this.former.takeOver(queue);
  }

  /** Frees every lease of the queue: they belong to a process that is no more. */
  async freeLeases(queue: string): Promise<void> {
    await this.change((tx) =>
      tx.run(
        `UPDATE consumer_backlog SET ${w.lease_until} = 0 WHERE ${w.consumer} = ? AND ${OPEN} AND ${w.lease_until} > 0`,
        [queue],
      ),
    );
    await this.former.takeOver(queue, { held: true });
  }

  async failures(queue: string, ids: readonly string[]): Promise<Map<string, string>> {
    const named = this.database.dialect.in(w.job, ids);
    const rows = await this.database.all<Pick<PendingWork, 'job' | 'last_error'>>(
      `SELECT ${w.job}, ${w.last_error} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${FAILED} AND ${named.sql}`,
      [queue, ...named.params],
    );
    return new Map(rows.map(({ job, last_error }) => [job, last_error ?? '']));
  }

  retryFailed(queue: string): Promise<number> {
    return this.change((tx) =>
      tx.run(
        `UPDATE consumer_backlog SET ${w.failed} = 0, ${w.put_aside} = 0, ${w.attempts} = 0, ${w.unfinished} = 0, ${w.available_at} = ?, ${w.last_error} = NULL
         WHERE ${w.consumer} = ? AND ${FAILED}`,
        [Date.now(), queue],
      ),
    );
  }

  /** The first `limit` jobs of the queue in one of the states. */
  async list(queue: string, states: readonly JobState[], limit: number): Promise<ListedJob[]> {
    const now = Date.now();
    const found: ListedJob[] = [];
    for (const state of states) {
      const { sql, params } = conditionOf(state, now);
      const rows = await this.database.all<
        Pick<PendingWork, 'job' | 'attempts' | 'available_at' | 'last_error'>
      >(
        `SELECT ${w.job}, ${w.attempts}, ${w.available_at}, ${w.last_error} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${sql} ORDER BY ${w.job} LIMIT ?`,
        [queue, ...params, limit - found.length],
      );
      for (const { job, attempts, available_at, last_error } of rows) {
        found.push({
          ...{ queue, id: job, state, attempts: Number(attempts) },
          ...(state === 'delayed' && { runAt: Number(available_at) }),
          ...(last_error !== null && { error: last_error }),
        });
      }
      if (found.length >= limit) break;
    }
    return found;
  }

  async stats(): Promise<Map<string, QueueStats>> {
    const now = Date.now();
    const conditions = JOB_STATES.map((state) => conditionOf(state, now));
    const sums = conditions.map(({ sql }, i) => `SUM(CASE WHEN ${sql} THEN 1 ELSE 0 END) AS n${i}`);
    const rows = await this.database.all<Record<string, number> & { queue: string }>(
      `SELECT ${w.consumer} AS queue, ${sums.join(', ')} FROM consumer_backlog GROUP BY ${w.consumer}`,
      conditions.flatMap(({ params }) => params),
    );
    return new Map(
      rows.map((row) => [
        row.queue,
        Object.fromEntries(
          JOB_STATES.map((state, i) => [state, Number(row[`n${i}`])]),
        ) as unknown as QueueStats,
      ]),
    );
  }
}

/** Which rows are jobs in this state; see {@link JobTable} on leases. */
function conditionOf(state: JobState, now: number): { sql: string; params: number[] } {
  switch (state) {
    case 'waiting':
      return { sql: `${OPEN} AND ${w.lease_until} = 0 AND ${w.available_at} <= ?`, params: [now] };
    case 'active':
      return { sql: `${OPEN} AND ${w.lease_until} > ?`, params: [now] };
    case 'delayed':
      return { sql: `${OPEN} AND ${w.lease_until} = 0 AND ${w.available_at} > ?`, params: [now] };
    case 'failed':
      return { sql: FAILED, params: [] };
    case 'stalled':
      return { sql: `${OPEN} AND ${w.lease_until} BETWEEN 1 AND ?`, params: [now] };
  }
}

function evenAfter(time: number): number {
  return time + (time % 2);
}

function askedAgain(lease: number): number {
  return lease % 2 === 0 ? lease + 1 : lease;
}
