/** What travels through a queue: ids, never documents. The worker reads the current state itself. */
export type JobPayload = Record<string, unknown>;

export interface JobRequest {
  /** Unique in its queue while the job waits; a second request with the same id is ignored. */
  id: string;
  payload: JobPayload;
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

/** Where a job of a queue can stand. */
export const JOB_STATES = ['waiting', 'active', 'delayed', 'failed', 'stalled'] as const;

/**
 * `delayed` jobs wait for their time, mostly for the next attempt. `failed` ones used up their attempts, or are suspended;
 * they stay, to be seen and to be put back. `stalled` ones belong to a process that fell silent; another will run them.
 */
export type JobState = (typeof JOB_STATES)[number];

/** How many jobs of a queue are in each state. */
export type QueueStats = Record<JobState, number>;

export interface ProcessOptions {
  /** The most jobs handed over in one call. */
  batch: number;
  /** How often a job is tried before it counts as failed. Default {@link ATTEMPTS}, with exponential pauses. */
  attempts?: number;
  /**
   * Whether the jobs are rows of {@link PendingWork} before the queue is notified of them, and the handler deletes them as
   * its last step. Default false: the queue does both.
   */
  recorded?: boolean;
  /**
   * Told of a job that is suspended because its process ended each time that it ran, or fell silent: it is not run
   * again, also on request, before {@link JobQueue.retryFailed}.
   */
  suspend?(job: Pick<Job, 'id'>): Promise<void>;
}

/**
 * So many tries of a job may end with their process. They are counted in the database before they begin. After the
 * first the job runs alone, behind what else is due, see {@link SuspectTurns}; after the last it is suspended.
 */
export const MOST_UNFINISHED = 3;

/** How often a job is tried, unless its handler says otherwise: with the pauses between them, some minutes. */
export const ATTEMPTS = 10;

/** A job as {@link JobQueue.list} shows it. */
export interface ListedJob {
  queue: string;
  id: string;
  state: JobState;
  /** Attempts that have begun since the job was last put back. */
  attempts: number;
  /** When it may start, epoch milliseconds: of delayed jobs. */
  runAt?: number;
  /** Why the last attempt failed, or why the job was suspended. */
  error?: string;
}

/** Why a job is suspended. */
export function diedOf(unfinished: number): string {
  return `the process ended, or fell silent, ${unfinished} times while it ran this job`;
}

/**
 * A queue with at-least-once delivery: any job may run any number of times, so handlers are idempotent. Jobs survive
 * the death of every process; a power failure may lose the last of them, so a job is only a wake-up, and what it is
 * about is in the database.
 * A handler that throws has its whole batch tried again, one by one.
 */
export abstract class JobQueue {
  abstract enqueue(queue: string, jobs: readonly JobRequest[]): Promise<void>;
  /** The same for jobs that are rows of {@link PendingWork} already. */
  abstract notify(queue: string, jobs: readonly JobRequest[]): Promise<void>;
  /** Registers the one handler of `queue` in this process. Throws when there is one already. */
  abstract process(queue: string, options: ProcessOptions, handler: (jobs: Job[]) => Promise<void>): void;
  abstract stats(): Promise<Record<string, QueueStats>>;
  /** Another text than before when the queue may have lost jobs since; undefined where it loses none. */
  async generation(): Promise<string | undefined> {
    return undefined;
  }
  /** The first `limit` jobs of `queue` in one of the states, by state and id. */
  abstract list(queue: string, states: readonly JobState[], limit: number): Promise<ListedJob[]>;
  /** Reasons of the jobs that failed or were suspended, by id. */
  abstract failures(queue: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Puts failed jobs back; answers how many. */
  abstract retryFailed(queue: string): Promise<number>;
  /** Stops taking jobs, waits for the running ones. */
  abstract close(): Promise<void>;
}
