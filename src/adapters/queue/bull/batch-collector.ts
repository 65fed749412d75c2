import { setTimeout as pause } from 'node:timers/promises';
import { MOST_UNFINISHED, SuspectTurns, type Job } from '../../../catalog/queue/index.js';
import type { TryState } from '../../../catalog/pending-work/index.js';

/** Jobs that come within this time of each other are handed over together. */
const GATHER_MS = 1;

/** How long what is suspect waits while there is something else to come. */
const LAST_MS = 20;

interface Entry {
  readonly job: Job;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Where the tries of the jobs are counted. */
export interface Tries {
  /** What is known of those jobs of which a try did not come to an end. */
  tryStates(jobs: readonly Job[]): Promise<Map<string, TryState>>;
  begin(jobs: readonly Job[]): Promise<void>;
  end(jobs: readonly Job[], done: boolean): Promise<void>;
  suspend(job: Job): Promise<void>;
  /** Whether more jobs are due that this process could take. */
  moreDue(): Promise<boolean>;
}

/**
 * Makes batches of jobs that arrive one by one, and runs one batch at a time, in the order of arrival. A batch that
 * fails is tried again job by job, so that each job has an outcome of its own. A job that ran before runs alone. One
 * that a process may have died of runs alone, behind what else is due or in turns with it, and is suspended after
 * {@link MOST_UNFINISHED} times.
 */
export class BatchCollector {
  private readonly waiting: Entry[] = [];
  private suspects: Entry[] = [];
  private running: Promise<void> | undefined;
  private readonly turns: SuspectTurns;

  constructor(
    private readonly batch: number,
    /** The most jobs that may be here at a time. */
    private readonly held: number,
    private readonly handler: (jobs: Job[]) => Promise<void>,
    private readonly tries: Tries,
    /** Told of batches that failed together. */
    private readonly split: (jobs: readonly Job[], error: unknown) => void,
    /** For how long suspects wait for the others. Default that of {@link SuspectTurns}. */
    deferralMs?: number,
  ) {
    this.turns = new SuspectTurns(deferralMs);
  }

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
    while (this.waiting.length + this.suspects.length > 0) {
      await this.gather();
      const entries = await this.due();
      if (entries.length > 0) await this.turns.take(entries.some(isSuspect), () => this.turn(entries));
    }
    this.running = undefined;
  }

  private async due(): Promise<Entry[]> {
    if (this.suspects.length === 0) this.turns.noneWaits();
    else if (this.turns.goesNext()) return this.suspects.splice(0, 1);
    return this.waiting.length > 0 ? this.calm(this.next()) : this.lastOne();
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

  /** Those of the entries that no process may have died of. */
  private async calm(entries: readonly Entry[]): Promise<Entry[]> {
    let known: Map<string, TryState>;
    try {
      known = await this.tries.tryStates(entries.map(({ job }) => job));
    } catch (error) {
      for (const entry of entries) entry.failed(error);
      return [];
    }
    return entries.filter((entry) => {
      const { unfinished = 0, suspended = false } = known.get(entry.job.id) ?? {};
      // It is left where it is; the queue forgets it.
      if (suspended) entry.done();
      else if (unfinished > 0) this.suspect(entry, unfinished);
      else return true;
      return false;
    });
  }

  private suspect({ job, ...outcome }: Entry, unfinished: number): void {
    this.suspects.push({ ...outcome, job: { ...job, attempt: job.attempt + unfinished, unfinished } });
    this.suspects.sort((a, b) => (a.job.unfinished ?? 0) - (b.job.unfinished ?? 0));
  }

  /** One of the suspects, when nothing else is due. */
  private async lastOne(): Promise<Entry[]> {
    const more = this.suspects.length < this.held && (await this.tries.moreDue());
    // What Redis has handed out already is on its way here.
    await pause(LAST_MS);
    return more || this.waiting.length > 0 ? [] : this.suspects.splice(0, 1);
  }

  private async turn(entries: readonly Entry[]): Promise<void> {
    if (!(await this.together(entries))) for (const entry of entries) await this.alone(entry);
  }

  /** Whether the entries, unless it is a single one, were done in one run. */
  private async together(entries: readonly Entry[]): Promise<boolean> {
    if (entries.length === 1) return false;
    const jobs = entries.map((entry) => entry.job);
    try {
      await this.counted(jobs);
    } catch (error) {
      this.split(jobs, error);
      return false;
    }
    for (const entry of entries) entry.done();
    return true;
  }

  private async alone({ job, done, failed }: Entry): Promise<void> {
    try {
      if ((job.unfinished ?? 0) >= MOST_UNFINISHED) await this.tries.suspend(job);
      else await this.counted([job]);
    } catch (error) {
      failed(error);
      return;
    }
    done();
  }

  private async counted(jobs: Job[]): Promise<void> {
    await this.tries.begin(jobs);
    try {
      await this.handler(jobs);
    } catch (error) {
      await this.tries.end(jobs, false);
      throw error;
    }
    await this.tries.end(jobs, true);
  }
}

function isSuspect({ job }: Entry): boolean {
  return (job.unfinished ?? 0) > 0;
}
