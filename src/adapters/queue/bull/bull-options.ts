import type Bull from 'bull';
import type { RedisConnections } from './redis-connections.js';

export interface BullTiming {
  /** After which time a job whose process fell silent is given to another. */
  leaseMs: number;
  /** How often silent processes are looked for. */
  stalledMs: number;
  /** The pause after the first failure; it doubles with each further one. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** How often a process that works says so. Longer than the lease: never, as one that hangs. */
  renewMs: number;
  /** For how long jobs that a process may have died of wait for the others. Default that of {@link SuspectTurns}. */
  deferralMs?: number;
}

export const DEFAULT_TIMING: BullTiming = {
  leaseMs: 5000,
  stalledMs: 2000,
  firstPauseMs: 1000,
  longestPauseMs: 300_000,
  renewMs: 1500,
};

/** The number of tries is up to the process that serves the queue. Bull counts also jobs that had not begun. */
const UNLIMITED = 1_000_000;
const RETRY_AFTER_ERROR_MS = 500;

export function bullOptions(
  prefix: string,
  timing: BullTiming,
  connections: RedisConnections,
): Bull.QueueOptions {
  return {
    prefix,
    createClient: (purpose) => connections.get(purpose),
    settings: {
      lockDuration: timing.leaseMs,
      lockRenewTime: timing.renewMs,
      stalledInterval: timing.stalledMs,
      maxStalledCount: UNLIMITED,
      retryProcessDelay: RETRY_AFTER_ERROR_MS,
      backoffStrategies: { spread: (attemptsMade: number) => pauseAfter(attemptsMade, timing) },
    },
    defaultJobOptions: {
      attempts: UNLIMITED,
      backoff: { type: 'spread' },
      // A job that is done is forgotten, and its id can be used again; one that failed stays to be seen.
      removeOnComplete: true,
      removeOnFail: false,
      stackTraceLimit: 1,
    },
  };
}

/** Exponential, and spread, so that jobs that failed together do not come back together. */
function pauseAfter(attempt: number, { firstPauseMs, longestPauseMs }: BullTiming): number {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(attempt - 1, 20), longestPauseMs);
  return Math.max(1, Math.round(pause * (0.5 + Math.random() / 2)));
}
