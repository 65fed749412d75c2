import type { Logger } from '@nestjs/common';
import type { Claim, JobTable } from '../../../catalog/pending-work/index.js';
import { outsideRequests } from '../../../catalog/schedule/index.js';
import {
  diedOf,
  MOST_UNFINISHED,
  SuspectTurns,
  type Job,
  type ProcessOptions,
} from '../../../catalog/queue/index.js';

const ERROR_LENGTH = 2000;
/** How often a worker looks for jobs of processes of the version before. */
const TAKE_OVER_MS = 1000;

interface WorkerOptions extends Pick<ProcessOptions, 'recorded' | 'suspend'> {
  batch: number;
  attempts: number;
  leaseMs: number;
  renewMs: number;
  pollMs: number;
  /** For how long jobs that a process may have died of wait for the others, see {@link SuspectTurns}. */
  deferralMs?: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** Free the leases that stand when the worker starts. */
  reclaimAtStart: boolean;
}

/** Takes the jobs of one queue, one batch at a time, until it is closed. */
export class QueueWorker {
  /** The run in progress; the worker sleeps when there is none. */
  private running: Promise<void> | undefined;
  private woken = false;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;
  private reclaimed: boolean;
  private nextTakeOver = 0;
  private readonly turns: SuspectTurns;

  constructor(
    private readonly queue: string,
    private readonly table: JobTable,
    private readonly options: WorkerOptions,
    private readonly handler: (jobs: Job[]) => Promise<void>,
    private readonly logger: Logger,
  ) {
    this.reclaimed = !options.reclaimAtStart;
    this.turns = new SuspectTurns(options.deferralMs);
  }

  /** There may be something to do. */
  wake(): void {
    this.woken = true;
    if (!this.closed) this.running ??= outsideRequests(() => this.run());
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let pause = this.options.pollMs;
    while (this.woken && !this.closed) {
      this.woken = false;
      try {
        pause = await this.drain();
      } catch (error) {
        // The table is out of reach. Nothing is lost by trying again: leases run out.
        this.logger.warn(`queue ${this.queue} could not be served: ${messageOf(error)}`);
        pause = this.options.pollMs;
      }
    }
    this.running = undefined;
    if (!this.closed) this.timer = setTimeout(() => this.wake(), pause).unref();
  }

  /** Runs what is due; answers after which pause to look again. */
  private async drain(): Promise<number> {
    const { pollMs, batch, leaseMs } = this.options;
    if (!this.reclaimed) {
      await this.table.freeLeases(this.queue);
      this.reclaimed = true;
    }
    while (!this.closed) {
      await this.takeOver();
      // A look through the reader first: an idle queue shall not trouble the writer.
      const due = await this.table.nextDue(this.queue);
      const pause = (due ?? Infinity) - Date.now();
      if (pause > 0) return Math.min(pause, pollMs);
      const suspectFirst = this.turns.goesNext();
      const claim = await this.table.claim(this.queue, batch, leaseMs, suspectFirst);
      if (claim.jobs.length === 0) return pollMs;
      const suspect = claim.unfinished > 0;
      if (suspectFirst && !suspect) this.turns.noneWaits();
      await this.turns.take(suspect, () => this.perform(claim));
    }
    return pollMs;
  }

  /** Where this process is alone, everything was taken over at its start. */
  private async takeOver(): Promise<void> {
    if (this.options.reclaimAtStart || Date.now() < this.nextTakeOver) return;
    this.nextTakeOver = Date.now() + TAKE_OVER_MS;
    await this.table.takeOver(this.queue);
  }

  private async perform(claim: Claim): Promise<void> {
    const [first] = claim.jobs as [Job];
    if (claim.unfinished >= MOST_UNFINISHED) return this.suspend(claim, first);
    const held = new HeldClaim(this.queue, claim, this.table, this.options);
    try {
      await this.handler(claim.jobs);
    } catch (error) {
      const current = await held.end();
      if (claim.jobs.length === 1) return this.fail(current, first, messageOf(error));
      this.logger.warn(
        `${claim.jobs.length} jobs of ${this.queue} failed together and are tried one by one: ${messageOf(error)}`,
      );
      return this.table.release(this.queue, current);
    }
    const current = await held.end();
    if (!this.options.recorded) await this.table.finish(this.queue, current);
  }

  private async suspend({ lease, unfinished }: Claim, job: Job): Promise<void> {
    const message = diedOf(unfinished);
    this.logger.error(`job ${job.id} of ${this.queue} is suspended: ${message}`);
    // First, so that it is told again when this is where the process ends.
    await this.options.suspend?.(job);
    await this.table.suspend(this.queue, job.id, lease, message);
  }

  private async fail({ lease }: Claim, job: Job, message: string): Promise<void> {
    const final = job.attempt >= this.options.attempts;
    const text = `job ${job.id} of ${this.queue} failed (attempt ${job.attempt} of ${this.options.attempts}): ${message}`;
    if (final) this.logger.error(text);
    else this.logger.warn(text);
    const runAt = final ? undefined : Date.now() + this.pauseAfter(job.attempt);
    await this.table.postpone(this.queue, job.id, lease, message.slice(0, ERROR_LENGTH), runAt);
  }

  /** Exponential, and spread, so that jobs that failed together do not come back together. */
  private pauseAfter(attempt: number): number {
    const { firstPauseMs, longestPauseMs } = this.options;
    const pause = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
    return Math.round(pause * (0.5 + Math.random() / 2));
  }
}

/** Renews the lease of jobs while their handler runs: it may take as long as it needs. */
class HeldClaim {
  private readonly timer: NodeJS.Timeout;
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    queue: string,
    private claim: Claim,
    table: JobTable,
    { leaseMs, renewMs }: WorkerOptions,
  ) {
    this.timer = setInterval(() => {
      this.renewal = this.renewal.then(async () => {
        // What cannot be renewed now is renewed next time, or lost to another process, which is no harm.
        this.claim = await table.renew(queue, this.claim, leaseMs).catch(() => this.claim);
      });
    }, renewMs).unref();
  }

  /** The claim as it stands in the table, from now on unchanged. */
  async end(): Promise<Claim> {
    clearInterval(this.timer);
    await this.renewal;
    return this.claim;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
