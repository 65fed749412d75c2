import type { TransactionOptions } from '../../catalog/store/index.js';
import type { JobRow } from './job.row.js';

/** The columns of the `job` table, which both queues write. */
export const JOB_COLUMNS: ReadonlyArray<keyof JobRow> = [
  'queue',
  'id',
  'payload',
  'attempts',
  'run_at',
  'lease_until',
  'failed',
  'error',
  'unfinished',
];

/**
 * Jobs are wake-ups: the caller finds out from durable rows of its own what was not done, so they only have to survive
 * the process. Spares a flush to disk for every claim and every job that is done.
 */
export const RELAXED: TransactionOptions = { survives: 'process' };
