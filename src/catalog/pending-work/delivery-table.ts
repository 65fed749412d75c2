import type { JobRequest } from '../queue/index.js';
import { columnsOf, type Database, type Dialect, type SqlValue, type Transaction } from '../store/index.js';
import { payloadOf, PENDING_WORK_COLUMNS, RELAXED, type PendingWork } from './pending-work.js';

const w = columnsOf<PendingWork>();

const ERROR_LENGTH = 2000;

/**
 * How far ahead of the clock a moment may be that was the present when it was written, and one that a pause or a lease ends at:
 * milliseconds. What is further ahead was written before a clock was set back.
 */
const PRESENT_MS = 5_000;
const FUTURE_MS = 10 * 60_000;

/** Changes that a consumer has not consumed yet, as one job. */
export interface PendingDelivery {
  consumer: string;
  request: JobRequest;
  firstChange: number;
}

/** The lag of a consumer. */
export interface ConsumerLag {
  consumer: string;
  /** Changes published and not consumed. */
  changes: number;
  /** Seconds since the oldest of them was published. */
  seconds: number;
  /** Jobs that failed and are retried. */
  failing: number;
  /** Jobs suspended because processes died of them; an administrator resumes them. */
  putAside: number;
}

/** First and last of ids without a gap. */
export type IdRange = [first: number, last: number];

/** The oldest change that a consumer (`?`) has pending, as a part of a statement; null when there is none. */
export const OLDEST_PENDING = `(SELECT MIN(${w.first_change}) FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.failures} = 0)`;
/** The same, also of what failed among those beyond a change (`?`). */
export const OLDEST_UNDONE = `(SELECT MIN(${w.first_change}) FROM consumer_backlog WHERE ${w.consumer} = ? AND (${w.failures} = 0 OR ${w.first_change} > ?))`;
/** Deliveries that no consumer takes: to others than the consumers there are, and older than a moment. */
export interface Abandoned {
  readonly consumers: readonly string[];
  /** Epoch milliseconds. */
  readonly before: number;
}

/** The oldest change that a consumer has pending, also of what failed, as a part of a statement; what is abandoned is left out. */
export function oldestUnfinished(
  dialect: Dialect,
  abandoned: Abandoned,
): { sql: string; params: SqlValue[] } {
  const { sql, params } = abandonedIn(dialect, abandoned);
  return {
    sql: `(SELECT MIN(${w.first_change}) FROM consumer_backlog WHERE ${w.first_change} > 0 AND NOT (${sql}))`,
    params,
  };
}
/** The first changes of all deliveries to a consumer (`?`). */
export const FIRST_CHANGES = `(SELECT ${w.first_change} FROM consumer_backlog WHERE ${w.consumer} = ?)`;

/**
 * The pending deliveries of the change log: the rows of {@link PendingWork} that name changes which a consumer has not
 * consumed. The database holds them for all processes, with their leases and tries; Redis only carries wake-ups.
 */
export class DeliveryTable {
  constructor(protected readonly database: Database) {}

  /** Inserts jobs in the transaction that publishes their changes. */
  async add(tx: Transaction, jobs: readonly PendingDelivery[]): Promise<void> {
    if (jobs.length === 0) return;
    const now = Date.now();
    await tx.insert<PendingWork>(
      'consumer_backlog',
      PENDING_WORK_COLUMNS,
      jobs.map((job) => rowOf(job, now, 0)),
    );
  }

  /** Replaces `job` by its parts, which the caller enqueues next. @returns whether the job was pending */
  split(consumer: string, job: string, parts: readonly PendingDelivery[]): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [whole] = await tx.all<Pick<PendingWork, 'created_at'>>(
        `SELECT ${w.created_at} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.job} = ? ${tx.dialect.forUpdate}`,
        [consumer, job],
      );
      if (whole === undefined) return false;
      const rows = parts.map((part) => rowOf(part, Number(whole.created_at), Date.now()));
      await tx.insert<PendingWork>('consumer_backlog', PENDING_WORK_COLUMNS, rows, {
        key: ['consumer', 'job'],
        then: 'ignore',
      });
      await tx.run(`DELETE FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.job} = ?`, [consumer, job]);
      return true;
    }, RELAXED);
  }

  /** Which of the jobs are pending. */
  async has(consumer: string, jobs: readonly string[]): Promise<Set<string>> {
    const ids = this.database.dialect.in(w.job, jobs);
    const rows = await this.database.all<Pick<PendingWork, 'job'>>(
      `SELECT ${w.job} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${ids.sql}`,
      [consumer, ...ids.params],
    );
    return new Set(rows.map(({ job }) => job));
  }

  /** Removes jobs that the consumer has finished. */
  async done(consumer: string, jobs: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in(w.job, jobs);
      return tx.run(`DELETE FROM consumer_backlog WHERE ${w.consumer} = ? AND ${ids.sql}`, [
        consumer,
        ...ids.params,
      ]);
    }, RELAXED);
  }

  /** Counts a failure of these jobs: the read barrier no longer waits for them. */
  async failed(consumer: string, jobs: readonly string[], error: string): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in(w.job, jobs);
      return tx.run(
        `UPDATE consumer_backlog SET ${w.failures} = ${w.failures} + 1, ${w.last_error} = ? WHERE ${w.consumer} = ? AND ${ids.sql}`,
        [error.slice(0, ERROR_LENGTH), consumer, ...ids.params],
      );
    }, RELAXED);
  }

  /** Suspended jobs, and the first change of each. */
  protected suspendedJobs(consumer: string): Promise<Array<Pick<PendingWork, 'job' | 'first_change'>>> {
    return this.database.all(
      `SELECT ${w.job}, ${w.first_change} FROM consumer_backlog WHERE ${w.consumer} = ? AND ${w.put_aside} = 1`,
      [consumer],
    );
  }

  /** The queue could not be notified of these jobs. */
  async notNotified(jobs: readonly PendingDelivery[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [consumer, ids] of byConsumer(jobs)) {
        const wanted = tx.dialect.in(w.job, ids);
        await tx.run(
          `UPDATE consumer_backlog SET ${w.rung_at} = 0 WHERE ${w.consumer} = ? AND ${wanted.sql}`,
          [consumer, ...wanted.params],
        );
      }
    }, RELAXED);
  }

  /** When the queue was last notified of the oldest job, or when that was created, by consumer. Epoch milliseconds. */
  async oldestNotifications(): Promise<Map<string, number>> {
    const rows = await this.database.all<{ consumer: string; oldest: number }>(
      `SELECT ${w.consumer}, MIN(CASE WHEN ${w.rung_at} = 0 THEN ${w.created_at} ELSE ${w.rung_at} END) AS oldest
       FROM consumer_backlog WHERE ${w.put_aside} = 0 GROUP BY ${w.consumer}`,
    );
    return new Map(rows.map((row) => [row.consumer, Number(row.oldest)]));
  }

  /**
   * Takes jobs of `consumer`, oldest changes first, and marks them as notified now, so that only one process redelivers
   * them; those that used up their attempts get new ones. They are jobs created before `createdBefore` without a known
   * notification, and jobs last notified before `notifiedBefore`.
   */
  takeUnnotified(
    consumer: string,
    { createdBefore, notifiedBefore }: { createdBefore: number; notifiedBefore: number },
    limit: number,
  ): Promise<PendingDelivery[]> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.all<DeliveryRow>(
        `SELECT ${w.consumer}, ${w.job}, ${w.first_change}, ${w.changes} FROM consumer_backlog
         WHERE ${w.consumer} = ? AND ${w.put_aside} = 0 AND ((${w.rung_at} = 0 AND ${w.created_at} <= ?) OR (${w.rung_at} > 0 AND ${w.rung_at} <= ?))
         ORDER BY ${w.first_change} LIMIT ? ${tx.dialect.forUpdate}`,
        [consumer, createdBefore, notifiedBefore, limit],
      );
      if (rows.length > 0) {
        const ids = tx.dialect.in(
          w.job,
          rows.map((row) => row.job),
        );
        const now = Date.now();
        // MySQL sets the columns one after the other: `failed` is the last.
        await tx.run(
          `UPDATE consumer_backlog SET ${w.rung_at} = ?, ${w.available_at} = CASE WHEN ${w.failed} = 1 THEN ? ELSE ${w.available_at} END,
             ${w.attempts} = CASE WHEN ${w.failed} = 1 THEN 0 ELSE ${w.attempts} END, ${w.failed} = 0
           WHERE ${w.consumer} = ? AND ${ids.sql}`,
          [now, now, consumer, ...ids.params],
        );
      }
      return rows.map(deliveryOf);
    }, RELAXED);
  }

  /**
   * Lets no job and no delivery wait for a moment that was written before a clock was set back. One that is under way may be done
   * once more.
   */
  async setBack(): Promise<void> {
    const now = Date.now();
    const [present, future] = [now + PRESENT_MS, now + FUTURE_MS];
    const start = `CASE WHEN ${w.attempts} = 0 THEN ? ELSE ? END`;
    const ahead = `(${w.available_at} > ${start} OR ${w.lease_until} > ? OR ${w.created_at} > ? OR ${w.rung_at} > ?)`;
    const params = [present, future, future, present, present];
    const found = await this.database.all(`SELECT 1 FROM consumer_backlog WHERE ${ahead} LIMIT 1`, params);
    if (found.length === 0) return;
    await this.database.transaction(
      (tx) =>
        tx.run(
          `UPDATE consumer_backlog SET
             ${w.available_at} = CASE WHEN ${w.available_at} > ${start} THEN ? ELSE ${w.available_at} END,
             ${w.lease_until} = CASE WHEN ${w.lease_until} > ? THEN 0 ELSE ${w.lease_until} END,
             ${w.created_at} = CASE WHEN ${w.created_at} > ? THEN ? ELSE ${w.created_at} END,
             ${w.rung_at} = CASE WHEN ${w.rung_at} > ? THEN ? ELSE ${w.rung_at} END
           WHERE ${ahead}`,
          [...[present, future, now], future, ...[present, now], ...[present, now], ...params],
        ),
      RELAXED,
    );
  }

  /** Removes what is abandoned. @returns how many changes the deliveries named, by consumer */
  removeAbandoned(abandoned: Abandoned): Promise<Map<string, number>> {
    return this.database.transaction(async (tx) => {
      const { sql, params } = abandonedIn(tx.dialect, abandoned);
      const rows = await tx.all<{ consumer: string; changes: number }>(
        `SELECT ${w.consumer}, SUM(${w.change_count}) AS changes FROM consumer_backlog
         WHERE ${w.first_change} > 0 AND ${sql} GROUP BY ${w.consumer}`,
        params,
      );
      if (rows.length > 0)
        await tx.run(`DELETE FROM consumer_backlog WHERE ${w.first_change} > 0 AND ${sql}`, params);
      return new Map(rows.map(({ consumer, changes }) => [consumer, Number(changes)]));
    }, RELAXED);
  }

  /** Removes all deliveries to a consumer. @returns how many there were */
  drop(consumer: string): Promise<number> {
    return this.database.transaction(
      (tx) =>
        tx.run(`DELETE FROM consumer_backlog WHERE ${w.first_change} > 0 AND ${w.consumer} = ?`, [consumer]),
      RELAXED,
    );
  }

  /** All pending jobs of `consumer` that are not suspended. */
  async open(consumer: string): Promise<PendingDelivery[]> {
    const rows = await this.database.all<DeliveryRow>(
      `SELECT ${w.consumer}, ${w.job}, ${w.first_change}, ${w.changes} FROM consumer_backlog
       WHERE ${w.consumer} = ? AND ${w.put_aside} = 0 ORDER BY ${w.first_change}`,
      [consumer],
    );
    return rows.map(deliveryOf);
  }

  /** The lag of each consumer with pending jobs. */
  async lag(): Promise<ConsumerLag[]> {
    const rows = await this.database.all<{
      consumer: string;
      changes: number;
      oldest: number;
      failing: number;
      aside: number;
    }>(
      `SELECT ${w.consumer}, SUM(${w.change_count}) AS changes, MIN(${w.created_at}) AS oldest,
         SUM(CASE WHEN ${w.failures} > 0 AND ${w.put_aside} = 0 THEN 1 ELSE 0 END) AS failing,
         SUM(CASE WHEN ${w.put_aside} = 1 THEN 1 ELSE 0 END) AS aside
       FROM consumer_backlog WHERE ${w.first_change} > 0 GROUP BY ${w.consumer}`,
    );
    const now = Date.now();
    return rows.map(({ consumer, changes, oldest, failing, aside }) => ({
      consumer,
      changes: Number(changes),
      seconds: Math.max(0, now - Number(oldest)) / 1000,
      failing: Number(failing),
      putAside: Number(aside),
    }));
  }
}

function abandonedIn(
  dialect: Dialect,
  { consumers, before }: Abandoned,
): { sql: string; params: SqlValue[] } {
  const old = `${w.created_at} < ?`;
  if (consumers.length === 0) return { sql: old, params: [before] };
  const known = dialect.in(w.consumer, consumers);
  return { sql: `${old} AND NOT (${known.sql})`, params: [before, ...known.params] };
}

function rowOf({ consumer, request, firstChange }: PendingDelivery, createdAt: number, notifiedAt: number) {
  const ranges = request.payload['ranges'] as IdRange[];
  return [
    ...[consumer, request.id, firstChange, JSON.stringify(ranges), changeCount(ranges)],
    ...[createdAt, notifiedAt, 0, createdAt, request.unfinished ?? 0],
  ];
}

type DeliveryRow = Pick<PendingWork, 'consumer' | 'job' | 'first_change' | 'changes'>;

function deliveryOf({ consumer, job, first_change, changes }: DeliveryRow): PendingDelivery {
  const request = { id: job, payload: payloadOf({ changes }) };
  return { consumer, request, firstChange: Number(first_change) };
}

export function byConsumer(jobs: readonly PendingDelivery[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { consumer, request } of jobs) ids.set(consumer, [...(ids.get(consumer) ?? []), request.id]);
  return ids;
}

/** How many changes `ranges` hold. */
function changeCount(ranges: readonly IdRange[]): number {
  return ranges.reduce((count, [first, last]) => count + last - first + 1, 0);
}
