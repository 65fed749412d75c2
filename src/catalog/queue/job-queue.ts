/** What travels through a queue: ids, never documents. The worker reads the current state itself. */
export type JobPayload = Record<string, unknown>;

export interface JobRequest {
  /** Unique in its queue while the job waits; a second request with the same id is ignored. */
  id: string;
  payload: JobPayload;
  /** Earliest start from now, milliseconds. */
  delayMs?: number;
  /** For a part of a job: {@link Job.unfinished} to begin with. */
  unfinished?: number;
}

export interface Job {
  id: string;
  payload: JobPayload;
  /** 1 at the first run. */
  attempt: number;
  /** Earlier tries that ended with their process, when there are any. The job is alone then. */
  unfinished?: number;
}

export interface QueueStats {
  waiting: number;
  active: number;
  delayed: number;
  /** Tried as often as they may be; they stay, to be seen and to be put back. */
  failed: number;
  /** Taken by a process that has fallen silent; another will run them. */
  stalled: number;
}

export interface ProcessOptions {
  /** The most jobs handed over in one call. */
  batch: number;
  /** How often a job is tried before it counts as failed. Default 5, with exponential pauses. */
  attempts?: number;
  /**
   * Told of a job that is put aside because its process ended each time that it ran, or fell silent: it is not run
   * again, whoever asks for it, before {@link JobQueue.retryFailed}.
   */
  putAside?(job: Pick<Job, 'id'>): Promise<void>;
}

/**
 * So many tries of a job may end with their process. They are counted in the database before they begin. After the
 * first the job runs alone, behind what else is due; after the last it is put aside.
 */
export const MOST_UNFINISHED = 3;

/** Why a job is put aside. */
export function diedOf(unfinished: number): string {
  return `the process ended, or fell silent, ${unfinished} times while it ran this job`;
}

/**
 * A queue with at-least-once delivery: any job may run any number of times, so handlers are idempotent. Jobs survive
 * the death of every process; with the power of the machine the last of them may go, so a job is a bell, and what it
 * rings for stands in the database.
 * A handler that throws has its whole batch tried again, one by one.
 */
export abstract class JobQueue {
  abstract enqueue(queue: string, jobs: readonly JobRequest[]): Promise<void>;
  /** Registers the one handler of `queue` in this process. Throws when there is one already. */
  abstract process(queue: string, options: ProcessOptions, handler: (jobs: Job[]) => Promise<void>): void;
  /** Resolves when nothing waits or runs in `queue` (delayed retries count as waiting, failed jobs do not). */
  abstract whenIdle(queue: string): Promise<void>;
  abstract stats(): Promise<Record<string, QueueStats>>;
  /** Why those of the jobs that failed, or were put aside, did, by id. */
  abstract failures(queue: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Puts failed jobs back; answers how many. */
  abstract retryFailed(queue: string): Promise<number>;
  /** Stops taking jobs, waits for the running ones. */
  abstract close(): Promise<void>;
}
