import type { SqlValue, TransactionOptions } from '../store/index.js';
import type { JobPayload } from '../queue/index.js';

/**
 * A row of the table `consumer_backlog`, which says what is pending, for whom, since when, and how often it was tried: the
 * deliveries of the change log, and the jobs of `@Processor` classes. The TypeORM entity of the change log describes the
 * columns to the database. All SQL on it stands in this folder: modules and adapters may import it, and not each other.
 */
export interface PendingWork {
  /** The consumer of the change log, or the queue. */
  consumer: string;
  /** Id of the job, unique for its consumer. */
  job: string;
  /** The first change of a delivery; 0 = the job of a processor. */
  first_change: number;
  /** JSON text: the ranges of changes of a delivery, or the payload of the job. */
  changes: string;
  change_count: number;
  /** Epoch milliseconds. */
  created_at: number;
  /** When the queue was last notified; 0 = not known to have been notified. */
  rung_at: number;
  /** How often the consumer failed on this job alone. */
  failures: number;
  /** 1 = suspended, because processes ended with it: it waits for an administrator. */
  put_aside: number;
  /** Tries that have begun since it was last put back. */
  attempts: number;
  /** Tries that ended with their process. */
  unfinished: number;
  /** Earliest start, epoch milliseconds; 0 = at once. */
  available_at: number;
  /** Until when a process holds it, epoch milliseconds; 0 = none does. See the table-backed queue for odd numbers. */
  lease_until: number;
  /** 1 = used up its attempts, or suspended. */
  failed: number;
  /** Why the last try failed; null = it did not. */
  last_error: string | null;
}

/** The columns of a row that is inserted. */
export const PENDING_WORK_COLUMNS = [
  'consumer',
  'job',
  'first_change',
  'changes',
  'change_count',
  'created_at',
  'rung_at',
  'failures',
  'available_at',
  'unfinished',
] as const satisfies ReadonlyArray<keyof PendingWork>;

/**
 * A power loss may undo writes of leases and tries without harm: the work is done once more. Spares a flush to disk for every
 * claim and every job that is done.
 */
export const RELAXED: TransactionOptions = { survives: 'process' };

/** The payload of the job that the row is. */
export function payloadOf({ changes }: Pick<PendingWork, 'changes'>): JobPayload {
  const parsed = JSON.parse(changes) as JobPayload | unknown[];
  return Array.isArray(parsed) ? { ranges: parsed } : parsed;
}

/** The row of a job that is no delivery, in the order of {@link PENDING_WORK_COLUMNS}. */
export function jobRow(
  queue: string,
  id: string,
  payload: JobPayload,
  now: number,
  unfinished = 0,
): SqlValue[] {
  return [...[queue, id, 0, JSON.stringify(payload), 0], ...[now, now, 0, now, unfinished]];
}
