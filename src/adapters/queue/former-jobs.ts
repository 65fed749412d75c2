import { RELAXED, takeOverJob, type FormerWork } from '../../catalog/pending-work/index.js';
import { MOST_UNFINISHED, type JobPayload } from '../../catalog/queue/index.js';
import type { Database, SqlValue, Transaction } from '../../catalog/store/index.js';
import type { JobRow } from './job.row.js';

/** Rows of one transaction. */
const AT_ONCE = 500;

/** Which rows are taken over, as SQL. */
interface Selection {
  sql: string;
  params: readonly SqlValue[];
}

/**
 * Takes over what processes of the version before leave in the table `job`: jobs that no process runs, tries that ended with
 * their process, and what was suspended. To be dropped together with that table.
 */
export class FormerJobs implements FormerWork {
  constructor(private readonly database: Database) {}

  /** Takes over the jobs of the table-backed queue that no process holds; with `held`, also those that one holds. */
  takeOver(queue: string, { held = false } = {}): Promise<void> {
    if (held) return this.move(queue, { sql: '1 = 1', params: [] });
    return this.move(queue, { sql: 'lease_until <= ?', params: [Date.now()] });
  }

  /** With Redis, where `job` counts tries: takes over suspended jobs. */
  takeOverSuspended(queue: string): Promise<void> {
    return this.move(queue, { sql: 'failed = 1', params: [] });
  }

  /** With Redis: takes over the tries of jobs that this process holds. */
  takeOverTries(queue: string, ids: readonly string[]): Promise<void> {
    return this.move(queue, this.database.dialect.in('id', ids));
  }

  private async move(queue: string, { sql, params }: Selection): Promise<void> {
    for (;;) {
      // A look without locks first: the table is empty as a rule.
      const [any] = await this.database.all(`SELECT 1 FROM job WHERE queue = ? AND ${sql} LIMIT 1`, [
        queue,
        ...params,
      ]);
      if (any === undefined) return;
      await this.database.transaction(async (tx) => {
        const rows = await tx.all<JobRow>(
          `SELECT queue, id, payload, attempts, run_at, failed, error, unfinished FROM job
           WHERE queue = ? AND ${sql} LIMIT ${AT_ONCE} ${tx.dialect.forUpdate}`,
          [queue, ...params],
        );
        for (const row of rows) await this.moveRow(tx, row);
        const ids = tx.dialect.in(
          'id',
          rows.map(({ id }) => id),
        );
        await tx.run(`DELETE FROM job WHERE queue = ? AND ${ids.sql}`, [queue, ...ids.params]);
      }, RELAXED);
    }
  }

  private async moveRow(tx: Transaction, row: JobRow): Promise<void> {
    const unfinished = Number(row.unfinished);
    const failed = Number(row.failed);
    await takeOverJob(tx, {
      ...{ queue: row.queue, id: row.id, error: row.error, failed, unfinished },
      payload: JSON.parse(row.payload) as JobPayload,
      runAt: Number(row.run_at),
      attempts: Number(row.attempts),
      suspended: failed === 1 && unfinished >= MOST_UNFINISHED ? 1 : 0,
    });
  }
}
