import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../../catalog/queue/index.js';

/** Jobs that come within this time of each other are handed over together. */
const GATHER_MS = 1;

interface Entry {
  readonly job: Job;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Makes batches of jobs that arrive one by one, and runs one batch at a time, in the order of arrival. A batch that
 * fails is tried again job by job, so that each job has an outcome of its own. A job that ran before runs alone.
 */
export class BatchCollector {
  private readonly waiting: Entry[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly batch: number,
    private readonly handler: (jobs: Job[]) => Promise<void>,
    /** Told of batches that failed together. */
    private readonly split: (jobs: readonly Job[], error: unknown) => void,
  ) {}

  /** Resolves when the job is done, rejects with what it failed with. */
  take(job: Job): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, done: resolve, failed: reject });
      this.running ??= this.run();
    });
  }

  /** Resolves when every job taken so far has its outcome. */
  async settled(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gather();
      const entries = this.next();
      if (!(await this.together(entries))) for (const entry of entries) await this.alone(entry);
    }
    this.running = undefined;
  }

  /** Waits while more jobs come and there is room for them. */
  private async gather(): Promise<void> {
    for (let seen = 0; seen < this.waiting.length && this.waiting.length < this.batch;) {
      seen = this.waiting.length;
      await pause(GATHER_MS);
    }
  }

  private next(): Entry[] {
    const retried = this.waiting.findIndex(({ job }) => job.attempt > 1);
    const count = retried === -1 ? this.batch : Math.max(1, Math.min(retried, this.batch));
    return this.waiting.splice(0, count);
  }

  /** Whether the entries, several of them, were done in one run. */
  private async together(entries: readonly Entry[]): Promise<boolean> {
    if (entries.length === 1) return false;
    const jobs = entries.map((entry) => entry.job);
    try {
      await this.handler(jobs);
    } catch (error) {
      this.split(jobs, error);
      return false;
    }
    for (const entry of entries) entry.done();
    return true;
  }

  private async alone({ job, done, failed }: Entry): Promise<void> {
    try {
      await this.handler([job]);
    } catch (error) {
      failed(error);
      return;
    }
    done();
  }
}
