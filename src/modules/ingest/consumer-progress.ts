/**
 * What the changes before a question have come to: consumed; stuck in part, on failures that nobody waits for; waiting
 * for something that the consumer needs and that is away; or not consumed in time.
 */
export type Caught = 'up' | 'stuck' | 'away' | 'late';

interface Waiter {
  upTo: number;
  resolve(caught: Caught): void;
}

/** What one consumer of this process has yet to do. */
interface Backlog {
  /** Jobs on their way, and the first change in each. */
  readonly jobs: Map<string, number>;
  /** Those among them that failed when they were tried alone. */
  readonly failing: Set<string>;
  readonly waiters: Set<Waiter>;
}

/**
 * How far the consumers of this process have come: the barrier for reading one's own writes.
 *
 * Kept in memory, from facts that the writer, the relay and the runner report, so that asking costs no SQL and
 * waiting no polling. It knows of the changes that this process committed and those that it found at start;
 * it is meant for a process that is alone on its log. Elsewhere nobody reports, and {@link reached} is stuck at once.
 */
export class ConsumerProgress {
  private latestChange = 0;
  /** Last change of a commit that is not published yet, to the first change that it may stand for. */
  private readonly unpublished = new Map<number, number>();
  private readonly backlogs = new Map<string, Backlog>();

  /** The highest change known to be committed. */
  get latest(): number {
    return this.latestChange;
  }

  /**
   * Resolves `up` as soon as `consumer` has consumed every change up to `changeId`, or up to {@link latest} when
   * that is lower; writes that come later are not waited for. Resolves `late` at the timeout, and without delay
   * when waiting is in vain: `stuck` when the consumer does not run here or fails on what is left, `away` when it
   * finds, after this question, that something it needs is away.
   */
  reached(consumer: string, changeId: number, timeoutMs: number): Promise<Caught> {
    const backlog = this.backlogs.get(consumer);
    if (backlog === undefined) return Promise.resolve('stuck');
    const upTo = Math.min(changeId, this.latestChange);
    const open = this.firstOpen(backlog);
    if (upTo < open.moving) return Promise.resolve(upTo < open.failing ? 'up' : 'stuck');
    return new Promise((resolve) => {
      const waiter: Waiter = {
        upTo,
        resolve: (caught) => {
          clearTimeout(timer);
          backlog.waiters.delete(waiter);
          resolve(caught);
        },
      };
      const timer = setTimeout(() => waiter.resolve('late'), timeoutMs).unref();
      backlog.waiters.add(waiter);
    });
  }

  /** The runner of `consumer` works in this process. */
  follow(consumer: string): void {
    if (this.backlogs.has(consumer)) return;
    this.backlogs.set(consumer, { jobs: new Map(), failing: new Set(), waiters: new Set() });
  }

  /** Changes up to `changeId` were committed and are not known to be published. */
  committed(changeId: number): void {
    if (changeId <= 0) return;
    this.unpublished.set(changeId, Math.min(this.latestChange + 1, changeId));
    this.latestChange = Math.max(this.latestChange, changeId);
  }

  /** The commits reported and not published so far. */
  toPublish(): number[] {
    return [...this.unpublished.keys()];
  }

  /** Everything up to `upTo` that was visible after the `commits` were reported has been published. */
  published(commits: readonly number[], upTo: number): void {
    for (const id of commits) if (id <= upTo) this.unpublished.delete(id);
    for (const backlog of this.backlogs.values()) this.settle(backlog);
  }

  /** A job whose first change is `first` is about to be enqueued. */
  expect(consumer: string, job: string, first: number): void {
    const backlog = this.backlogs.get(consumer);
    backlog?.jobs.set(job, first);
    backlog?.failing.delete(job);
  }

  /** Nothing is to be expected of these jobs (any more): they are done, or they could not be enqueued. */
  done(consumer: string, jobs: readonly string[]): void {
    const backlog = this.backlogs.get(consumer);
    if (backlog === undefined) return;
    for (const job of jobs) {
      backlog.jobs.delete(job);
      backlog.failing.delete(job);
    }
    this.settle(backlog);
  }

  /** The job failed on its own: it will be tried again, but nobody shall wait for it. */
  failed(consumer: string, job: string): void {
    const backlog = this.backlogs.get(consumer);
    if (backlog?.jobs.has(job) !== true) return;
    backlog.failing.add(job);
    this.settle(backlog);
  }

  /** The consumer waits for something that it needs, with jobs in its hands: nothing is wrong with those. */
  away(consumer: string): void {
    for (const waiter of [...(this.backlogs.get(consumer)?.waiters ?? [])]) waiter.resolve('away');
  }

  private settle(backlog: Backlog): void {
    if (backlog.waiters.size === 0) return;
    const open = this.firstOpen(backlog);
    for (const waiter of [...backlog.waiters]) {
      if (waiter.upTo < open.moving) waiter.resolve(waiter.upTo < open.failing ? 'up' : 'stuck');
    }
  }

  /** The first change that is still on its way, and the first that is stuck. */
  private firstOpen({ jobs, failing }: Backlog): { moving: number; failing: number } {
    const open = { moving: Infinity, failing: Infinity };
    for (const first of this.unpublished.values()) open.moving = Math.min(open.moving, first);
    for (const [job, first] of jobs) {
      const state = failing.has(job) ? 'failing' : 'moving';
      open[state] = Math.min(open[state], first);
    }
    return open;
  }
}
