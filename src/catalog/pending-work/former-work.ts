import { columnsOf, type Transaction } from '../store/index.js';
import { jobRow, PENDING_WORK_COLUMNS, type PendingWork } from './pending-work.js';
import type { JobPayload } from '../queue/index.js';

const w = columnsOf<PendingWork>();

/** What a version before this one has kept elsewhere: it is taken over as soon as it is asked for. */
export interface FormerWork {
  /** The jobs of a queue that no process holds; with `held`, also those that one holds. */
  takeOver(queue: string, which?: { held?: boolean }): Promise<void>;
  takeOverSuspended(queue: string): Promise<void>;
  /** The tries of jobs that this process holds. */
  takeOverTries(queue: string, ids: readonly string[]): Promise<void>;
}

/** What is known of a job that is taken over. */
export interface FormerJob {
  queue: string;
  id: string;
  payload: JobPayload;
  runAt: number;
  attempts: number;
  unfinished: number;
  failed: number;
  suspended: number;
  error: string;
}

/** Enters a job, unless it is a delivery, and the tries that it has behind it. A delivery that is not pending is done. */
export async function takeOverJob(tx: Transaction, job: FormerJob): Promise<void> {
  const { queue, id, payload, runAt, attempts, unfinished, failed, suspended, error } = job;
  if (!Array.isArray(payload['ranges'])) {
    await tx.insert<PendingWork>(
      'consumer_backlog',
      PENDING_WORK_COLUMNS,
      [jobRow(queue, id, payload, runAt)],
      {
        key: ['consumer', 'job'],
        then: 'ignore',
      },
    );
  }
  await tx.run(
    `UPDATE consumer_backlog SET ${w.attempts} = CASE WHEN ${w.attempts} < ? THEN ? ELSE ${w.attempts} END,
       ${w.unfinished} = CASE WHEN ${w.unfinished} < ? THEN ? ELSE ${w.unfinished} END,
       ${w.failed} = CASE WHEN ${w.failed} = 1 THEN 1 ELSE ? END,
       ${w.put_aside} = CASE WHEN ${w.put_aside} = 1 THEN 1 ELSE ? END,
       ${w.last_error} = CASE WHEN ? = '' THEN ${w.last_error} ELSE ? END
     WHERE ${w.consumer} = ? AND ${w.job} = ?`,
    [...[attempts, attempts, unfinished, unfinished, failed, suspended], ...[error, error, queue, id]],
  );
}
