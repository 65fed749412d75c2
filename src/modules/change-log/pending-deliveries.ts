import { payloadOf, PENDING_WORK_COLUMNS, RELAXED, type JobRequest } from '../../catalog/queue/index.js';
import { columnsOf, type Database, type Transaction } from '../../catalog/store/index.js';
import { changeCount, type IdRange } from './change-job.js';
import type { PendingDeliveryRow } from './entities/pending-delivery.row.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { EntityRow } from '../entities/index.js';

const e = columnsOf<EntityRow>('e');
const c = columnsOf<ChangeLogRow>('c');

const ERROR_LENGTH = 2000;

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

/**
 * The pending deliveries of the change log: the rows of {@link PendingWork} that name changes which a consumer has not
 * consumed. The database holds them for all processes, with their leases and tries; Redis only carries wake-ups.
 */
export class PendingDeliveries {
  constructor(private readonly database: Database) {}

  /** Inserts jobs in the transaction that publishes their changes. */
  async add(tx: Transaction, jobs: readonly PendingDelivery[]): Promise<void> {
    if (jobs.length === 0) return;
    const now = Date.now();
    await tx.insert<PendingDeliveryRow>(
      'consumer_backlog',
      PENDING_WORK_COLUMNS,
      jobs.map((job) => rowOf(job, now, 0)),
    );
  }

  /** Replaces `job` by its parts, which the caller enqueues next. @returns whether the job was pending */
  split(consumer: string, job: string, parts: readonly PendingDelivery[]): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [whole] = await tx.all<Pick<PendingDeliveryRow, 'created_at'>>(
        `SELECT created_at FROM consumer_backlog WHERE consumer = ? AND job = ? ${tx.dialect.forUpdate}`,
        [consumer, job],
      );
      if (whole === undefined) return false;
      const rows = parts.map((part) => rowOf(part, Number(whole.created_at), Date.now()));
      await tx.insert<PendingDeliveryRow>('consumer_backlog', PENDING_WORK_COLUMNS, rows, {
        key: ['consumer', 'job'],
        then: 'ignore',
      });
      await tx.run('DELETE FROM consumer_backlog WHERE consumer = ? AND job = ?', [consumer, job]);
      return true;
    }, RELAXED);
  }

  /** Which of the jobs are pending. */
  async has(consumer: string, jobs: readonly string[]): Promise<Set<string>> {
    const ids = this.database.dialect.in('job', jobs);
    const rows = await this.database.all<Pick<PendingDeliveryRow, 'job'>>(
      `SELECT job FROM consumer_backlog WHERE consumer = ? AND ${ids.sql}`,
      [consumer, ...ids.params],
    );
    return new Set(rows.map(({ job }) => job));
  }

  /** Removes jobs that the consumer has finished. */
  async done(consumer: string, jobs: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in('job', jobs);
      return tx.run(`DELETE FROM consumer_backlog WHERE consumer = ? AND ${ids.sql}`, [
        consumer,
        ...ids.params,
      ]);
    }, RELAXED);
  }

  /** Counts a failure of these jobs: the read barrier no longer waits for them. */
  async failed(consumer: string, jobs: readonly string[], error: string): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in('job', jobs);
      return tx.run(
        `UPDATE consumer_backlog SET failures = failures + 1, last_error = ? WHERE consumer = ? AND ${ids.sql}`,
        [error.slice(0, ERROR_LENGTH), consumer, ...ids.params],
      );
    }, RELAXED);
  }

  /** Suspended jobs, with the entity of the first change in each: of all changes, once a job was split. */
  suspended(consumer: string): Promise<Array<{ job: string; urn: string }>> {
    return this.database.all(
      `SELECT b.job AS job, ${e.urn} AS urn FROM consumer_backlog b JOIN change_log c ON ${c.id} = b.first_change
       JOIN entity e ON ${e.id} = ${c.entity_id} WHERE b.consumer = ? AND b.put_aside = 1`,
      [consumer],
    );
  }

  /** The queue could not be notified of these jobs. */
  async notNotified(jobs: readonly PendingDelivery[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [consumer, ids] of byConsumer(jobs)) {
        const wanted = tx.dialect.in('job', ids);
        await tx.run(`UPDATE consumer_backlog SET rung_at = 0 WHERE consumer = ? AND ${wanted.sql}`, [
          consumer,
          ...wanted.params,
        ]);
      }
    }, RELAXED);
  }

  /** When the queue was last notified of the oldest job, or when that was created, by consumer. Epoch milliseconds. */
  async oldestNotifications(): Promise<Map<string, number>> {
    const rows = await this.database.all<{ consumer: string; oldest: number }>(
      `SELECT consumer, MIN(CASE WHEN rung_at = 0 THEN created_at ELSE rung_at END) AS oldest
       FROM consumer_backlog WHERE put_aside = 0 GROUP BY consumer`,
    );
    return new Map(rows.map((row) => [row.consumer, Number(row.oldest)]));
  }

  /**
   * Takes jobs of `consumer`, oldest changes first, and marks them as notified now, so that only one process redelivers
   * them; those that used up their attempts get new ones. They are jobs created before `createdBefore` without a known notification, and jobs last notified before `notifiedBefore`.
   */
  takeUnnotified(
    consumer: string,
    { createdBefore, notifiedBefore }: { createdBefore: number; notifiedBefore: number },
    limit: number,
  ): Promise<PendingDelivery[]> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.all<DeliveryRow>(
        `SELECT consumer, job, first_change, changes FROM consumer_backlog
         WHERE consumer = ? AND put_aside = 0 AND ((rung_at = 0 AND created_at <= ?) OR (rung_at > 0 AND rung_at <= ?))
         ORDER BY first_change LIMIT ? ${tx.dialect.forUpdate}`,
        [consumer, createdBefore, notifiedBefore, limit],
      );
      if (rows.length > 0) {
        const ids = tx.dialect.in(
          'job',
          rows.map((row) => row.job),
        );
        const now = Date.now();
        // MySQL sets the columns one after the other: `failed` is the last.
        await tx.run(
          `UPDATE consumer_backlog SET rung_at = ?, available_at = CASE WHEN failed = 1 THEN ? ELSE available_at END,
             attempts = CASE WHEN failed = 1 THEN 0 ELSE attempts END, failed = 0
           WHERE consumer = ? AND ${ids.sql}`,
          [now, now, consumer, ...ids.params],
        );
      }
      return rows.map(deliveryOf);
    }, RELAXED);
  }

  /** All pending jobs of `consumer` that are not suspended. */
  async open(consumer: string): Promise<PendingDelivery[]> {
    const rows = await this.database.all<DeliveryRow>(
      `SELECT consumer, job, first_change, changes FROM consumer_backlog
       WHERE consumer = ? AND put_aside = 0 ORDER BY first_change`,
      [consumer],
    );
    return rows.map(deliveryOf);
  }

  /**
   * The state of `consumer` in one statement: the newest change, the position of the last published one, and the oldest
   * pending one. Jobs that failed are left out.
   */
  async state(consumer: string): Promise<{ latest: number; published: number; oldestPending: number }> {
    const [row] = await this.database.all<{
      latest: number | null;
      published: number | null;
      unpublished: number | null;
      open: number | null;
    }>(
      `SELECT (SELECT MAX(id) FROM change_log) AS latest, (SELECT MAX(position) FROM change_log) AS published,
         (SELECT MIN(id) FROM change_log WHERE position = 0) AS unpublished,
         (SELECT MIN(first_change) FROM consumer_backlog WHERE consumer = ? AND failures = 0) AS open`,
      [consumer],
    );
    const id = (value: number | null | undefined, none: number) => Number(value ?? none);
    return {
      latest: id(row?.latest, 0),
      published: id(row?.published, 0),
      oldestPending: Math.min(id(row?.unpublished, Infinity), id(row?.open, Infinity)),
    };
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
      `SELECT consumer, SUM(change_count) AS changes, MIN(created_at) AS oldest,
         SUM(CASE WHEN failures > 0 AND put_aside = 0 THEN 1 ELSE 0 END) AS failing,
         SUM(CASE WHEN put_aside = 1 THEN 1 ELSE 0 END) AS aside
       FROM consumer_backlog WHERE first_change > 0 GROUP BY consumer`,
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

  /** Changes that are committed and not published, and the age of the oldest in seconds. */
  async unpublished(): Promise<{ changes: number; seconds: number }> {
    const [row] = await this.database.all<{ changes: number; oldest: number | null }>(
      'SELECT COUNT(*) AS changes, MIN(time) AS oldest FROM change_log WHERE position = 0',
    );
    const oldest = Number(row?.oldest ?? Date.now());
    return { changes: Number(row?.changes ?? 0), seconds: Math.max(0, Date.now() - oldest) / 1000 };
  }
}

function rowOf({ consumer, request, firstChange }: PendingDelivery, createdAt: number, notifiedAt: number) {
  const ranges = request.payload['ranges'] as IdRange[];
  return [
    ...[consumer, request.id, firstChange, JSON.stringify(ranges), changeCount(ranges)],
    ...[createdAt, notifiedAt, 0, createdAt, request.unfinished ?? 0],
  ];
}

type DeliveryRow = Pick<PendingDeliveryRow, 'consumer' | 'job' | 'first_change' | 'changes'>;

function deliveryOf({ consumer, job, first_change, changes }: DeliveryRow): PendingDelivery {
  const request = { id: job, payload: payloadOf({ changes }) };
  return { consumer, request, firstChange: Number(first_change) };
}

export function byConsumer(jobs: readonly PendingDelivery[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { consumer, request } of jobs) ids.set(consumer, [...(ids.get(consumer) ?? []), request.id]);
  return ids;
}
