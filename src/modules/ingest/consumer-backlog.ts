import type { JobRequest } from '../../catalog/queue/index.js';
import type { Database, Transaction } from '../../catalog/store/index.js';
import { changeCount, type IdRange } from './change-job.js';

const COLUMNS = [
  'consumer',
  'job',
  'first_change',
  'changes',
  'change_count',
  'created_at',
  'rung_at',
  'failures',
];

/**
 * What is lost here with the power of the machine comes back: the marks of publishing go with it, or the changes are
 * consumed once more.
 */
const RELAXED = { survives: 'process' } as const;

/** A job that a consumer has yet to do. */
export interface OpenJob {
  consumer: string;
  request: JobRequest;
  firstChange: number;
}

/** How far a consumer is behind. */
export interface ConsumerLag {
  consumer: string;
  /** Changes published and not consumed. */
  changes: number;
  /** How long the oldest of them has waited since it was published, seconds. */
  seconds: number;
  /** Jobs on which the consumer has failed; they are tried again and again. */
  failing: number;
  /** Jobs that processes did not survive; they wait for an administrator. */
  putAside: number;
}

/**
 * The book of what the consumers of the change log have yet to do, in the database: true for all processes, whatever
 * the queue remembers.
 */
export class ConsumerBacklog {
  constructor(private readonly database: Database) {}

  /** Enters jobs, as part of the transaction that publishes their changes. */
  async add(tx: Transaction, jobs: readonly OpenJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const now = Date.now();
    await tx.insert(
      'consumer_backlog',
      COLUMNS,
      jobs.map((job) => rowOf(job, now, 0)),
    );
  }

  /** Replaces `job` by its parts, of which the queue is about to be told; answers whether it was there. */
  split(consumer: string, job: string, parts: readonly OpenJob[]): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [whole] = await tx.all<{ created_at: number }>(
        `SELECT created_at FROM consumer_backlog WHERE consumer = ? AND job = ? ${tx.dialect.forUpdate}`,
        [consumer, job],
      );
      if (whole === undefined) return false;
      const rows = parts.map((part) => rowOf(part, Number(whole.created_at), Date.now()));
      await tx.insert('consumer_backlog', COLUMNS, rows, { key: ['consumer', 'job'], then: 'ignore' });
      await tx.run('DELETE FROM consumer_backlog WHERE consumer = ? AND job = ?', [consumer, job]);
      return true;
    }, RELAXED);
  }

  /** Those of the jobs that the consumer has yet to do. */
  async has(consumer: string, jobs: readonly string[]): Promise<Set<string>> {
    const ids = this.database.dialect.in('job', jobs);
    const rows = await this.database.all<{ job: string }>(
      `SELECT job FROM consumer_backlog WHERE consumer = ? AND ${ids.sql}`,
      [consumer, ...ids.params],
    );
    return new Set(rows.map(({ job }) => job));
  }

  /** The consumer is through with these jobs. */
  async done(consumer: string, jobs: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in('job', jobs);
      return tx.run(`DELETE FROM consumer_backlog WHERE consumer = ? AND ${ids.sql}`, [
        consumer,
        ...ids.params,
      ]);
    }, RELAXED);
  }

  /** The consumer failed on these jobs: nobody shall wait for them. */
  async failed(consumer: string, jobs: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in('job', jobs);
      return tx.run(`UPDATE consumer_backlog SET failures = failures + 1 WHERE consumer = ? AND ${ids.sql}`, [
        consumer,
        ...ids.params,
      ]);
    }, RELAXED);
  }

  /** The queue has put these jobs aside: it is not told of them before {@link resume}. */
  async putAside(consumer: string, jobs: readonly string[]): Promise<void> {
    await this.database.transaction((tx) => {
      const ids = tx.dialect.in('job', jobs);
      return tx.run(
        `UPDATE consumer_backlog SET failures = failures + 1, put_aside = 1 WHERE consumer = ? AND ${ids.sql}`,
        [consumer, ...ids.params],
      );
    }, RELAXED);
  }

  /** The jobs that were put aside, and the entity of the first change in each: of all, once a job was split. */
  asideOf(consumer: string): Promise<Array<{ job: string; urn: string }>> {
    return this.database.all(
      `SELECT b.job AS job, e.urn AS urn FROM consumer_backlog b JOIN change_log c ON c.id = b.first_change
       JOIN entity e ON e.id = c.entity_id WHERE b.consumer = ? AND b.put_aside = 1`,
      [consumer],
    );
  }

  /** What was put aside is to be tried again; answers how many jobs. */
  resume(consumer: string): Promise<number> {
    return this.database.transaction((tx) =>
      tx.run('UPDATE consumer_backlog SET put_aside = 0, rung_at = 0 WHERE consumer = ? AND put_aside = 1', [
        consumer,
      ]),
    );
  }

  /** The queue could not be told of these jobs. */
  async unheard(jobs: readonly OpenJob[]): Promise<void> {
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

  /** Since when the job that has waited longest waits for a ring, by consumer. */
  async oldestRings(): Promise<Map<string, number>> {
    const rows = await this.database.all<{ consumer: string; oldest: number }>(
      `SELECT consumer, MIN(CASE WHEN rung_at = 0 THEN created_at ELSE rung_at END) AS oldest
       FROM consumer_backlog WHERE put_aside = 0 GROUP BY consumer`,
    );
    return new Map(rows.map((row) => [row.consumer, Number(row.oldest)]));
  }

  /**
   * Takes jobs of `consumer`, the oldest changes first, and marks them as told now, so that of several processes one
   * gets them: those that nobody is known to have told the queue of since `untoldSince`, and those that it was told of
   * before `toldBefore`.
   */
  takeUnrung(
    consumer: string,
    { untoldSince, toldBefore }: { untoldSince: number; toldBefore: number },
    limit: number,
  ): Promise<OpenJob[]> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.all<OpenRow>(
        `SELECT consumer, job, first_change, changes FROM consumer_backlog
         WHERE consumer = ? AND put_aside = 0 AND ((rung_at = 0 AND created_at <= ?) OR (rung_at > 0 AND rung_at <= ?))
         ORDER BY first_change LIMIT ? ${tx.dialect.forUpdate}`,
        [consumer, untoldSince, toldBefore, limit],
      );
      if (rows.length > 0) {
        const ids = tx.dialect.in(
          'job',
          rows.map((row) => row.job),
        );
        await tx.run(`UPDATE consumer_backlog SET rung_at = ? WHERE consumer = ? AND ${ids.sql}`, [
          Date.now(),
          consumer,
          ...ids.params,
        ]);
      }
      return rows.map(openJob);
    }, RELAXED);
  }

  /** Everything that `consumer` has yet to do. */
  async open(consumer: string): Promise<OpenJob[]> {
    const rows = await this.database.all<OpenRow>(
      `SELECT consumer, job, first_change, changes FROM consumer_backlog
       WHERE consumer = ? AND put_aside = 0 ORDER BY first_change`,
      [consumer],
    );
    return rows.map(openJob);
  }

  /**
   * The state of `consumer` in one statement: the newest change, the position of the last one that was published, and
   * the oldest one that is on its way to the consumer. Jobs on which it has failed are left out.
   */
  async standing(consumer: string): Promise<{ latest: number; published: number; moving: number }> {
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
      moving: Math.min(id(row?.unpublished, Infinity), id(row?.open, Infinity)),
    };
  }

  /** The lag of every consumer that has one. */
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
       FROM consumer_backlog GROUP BY consumer`,
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

  /** Changes that are committed and not published, and how long the oldest of them has waited, seconds. */
  async unpublished(): Promise<{ changes: number; seconds: number }> {
    const [row] = await this.database.all<{ changes: number; oldest: number | null }>(
      'SELECT COUNT(*) AS changes, MIN(time) AS oldest FROM change_log WHERE position = 0',
    );
    const oldest = Number(row?.oldest ?? Date.now());
    return { changes: Number(row?.changes ?? 0), seconds: Math.max(0, Date.now() - oldest) / 1000 };
  }
}

function rowOf({ consumer, request, firstChange }: OpenJob, createdAt: number, rungAt: number) {
  const ranges = request.payload['ranges'] as IdRange[];
  return [
    ...[consumer, request.id, firstChange, JSON.stringify(ranges), changeCount(ranges)],
    ...[createdAt, rungAt, 0],
  ];
}

interface OpenRow {
  consumer: string;
  job: string;
  first_change: number;
  changes: string;
}

function openJob({ consumer, job, first_change, changes }: OpenRow): OpenJob {
  const request = { id: job, payload: { ranges: JSON.parse(changes) as IdRange[] } };
  return { consumer, request, firstChange: Number(first_change) };
}

export function byConsumer(jobs: readonly OpenJob[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { consumer, request } of jobs) ids.set(consumer, [...(ids.get(consumer) ?? []), request.id]);
  return ids;
}
