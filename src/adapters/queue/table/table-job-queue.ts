import { Logger } from '@nestjs/common';
import { JobTable } from '../../../catalog/pending-work/index.js';
import {
  ATTEMPTS,
  type Job,
  JobQueue,
  type JobRequest,
  type JobState,
  type ListedJob,
  type ProcessOptions,
  type QueueStats,
} from '../../../catalog/queue/index.js';
import type { Database } from '../../../catalog/store/index.js';
import { FormerJobs } from '../former-jobs.js';
import { QueueWorker } from './queue-worker.js';

const LEASE_MS = 30_000;

export interface TableJobQueueOptions {
  /** After which time a job whose process fell silent is given to another. Default 30 s. */
  leaseMs?: number;
  /** How often a process that works says so. Default a third of `leaseMs`. */
  renewMs?: number;
  /** How often to look for jobs of other processes. Default 1 s. */
  pollMs?: number;
  /** The pause after the first failure; it doubles with each further one. Default 1 s. */
  firstPauseMs?: number;
  /** Default 5 minutes. */
  longestPauseMs?: number;
  /** For how long jobs that a process may have died of wait for the others. Default that of {@link SuspectTurns}. */
  deferralMs?: number;
  /**
   * Frees the leases found at start instead of waiting for their end. Right only where no other process
   * serves the same queues. Default false.
   */
  reclaimAtStart?: boolean;
}

/**
 * The queue in a table of the database: durable, and nothing else to run. A job enqueued here starts at once;
 * one of another process is found by polling.
 *
 * Jobs start in the order of their start times, those of one millisecond in the order of their ids. A process
 * runs one batch per queue at a time. A job that ran before (it failed, or its process died) runs alone; one whose process
 * died runs behind what else is due, or in turns with it, and is suspended after {@link MOST_UNFINISHED} times.
 * The try of a batch counts as a try of its jobs, but no job fails permanently before it has failed alone.
 *
 * An id is one request: give different requests different ids. A request for an id that waits is covered by the
 * waiting job; for one that runs, the job runs once more afterwards; for one that failed, it starts afresh.
 */
export class TableJobQueue extends JobQueue {
  private readonly table: JobTable;
  private readonly options: Required<Omit<TableJobQueueOptions, 'deferralMs'>> &
    Pick<TableJobQueueOptions, 'deferralMs'>;
  private readonly workers = new Map<string, QueueWorker>();
  private readonly logger = new Logger(TableJobQueue.name);
  private closed = false;

  constructor(database: Database, options: TableJobQueueOptions = {}) {
    super();
    this.table = new JobTable(database, new FormerJobs(database));
    this.options = {
      leaseMs: LEASE_MS,
      pollMs: 1000,
      firstPauseMs: 1000,
      longestPauseMs: 300_000,
      reclaimAtStart: false,
      renewMs: (options.leaseMs ?? LEASE_MS) / 3,
      ...options,
    };
  }

  async enqueue(queue: string, jobs: readonly JobRequest[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.table.add(queue, jobs);
    this.workers.get(queue)?.wake();
  }

  async notify(queue: string, _jobs: readonly JobRequest[]): Promise<void> {
    this.workers.get(queue)?.wake();
  }

  process(queue: string, options: ProcessOptions, handler: (jobs: Job[]) => Promise<void>): void {
    if (this.closed) throw new Error('the job queue is closed');
    if (this.workers.has(queue)) throw new Error(`the queue ${queue} has a handler already`);
    const worker = new QueueWorker(
      queue,
      this.table,
      { ...this.options, ...options, attempts: options.attempts ?? ATTEMPTS },
      handler,
      this.logger,
    );
    this.workers.set(queue, worker);
    worker.wake();
  }

  async stats(): Promise<Record<string, QueueStats>> {
    const counted = await this.table.stats();
    const names = new Set([...this.workers.keys(), ...counted.keys()]);
    const nothing = { waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 };
    return Object.fromEntries([...names].sort().map((name) => [name, counted.get(name) ?? nothing]));
  }

  list(queue: string, states: readonly JobState[], limit: number): Promise<ListedJob[]> {
    return this.table.list(queue, states, limit);
  }

  failures(queue: string, ids: readonly string[]): Promise<Map<string, string>> {
    return this.table.failures(queue, ids);
  }

  async retryFailed(queue: string): Promise<number> {
    const count = await this.table.retryFailed(queue);
    this.workers.get(queue)?.wake();
    return count;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.workers.values()].map((worker) => worker.close()));
  }
}
