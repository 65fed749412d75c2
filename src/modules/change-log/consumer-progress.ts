/**
 * How far a consumer is with the changes before a question: all consumed; some failing, which readers do not wait for; the
 * consumer waits for a service that is unavailable; or not consumed in time.
 */
export type Caught = 'caught-up' | 'failing' | 'unavailable' | 'timeout';

interface Waiter {
  upTo: number;
  resolve(caught: Caught): void;
}

/** So many pending changes are a burst of writers, which consumers yield to. More are a stream, which they go along with. */
export const BURST_CHANGES = 2_000;

/** The pending jobs of one consumer of this process. */
interface Backlog {
  /** Pending jobs, and the first change in each. */
  readonly jobs: Map<string, number>;
  /** Those that failed when they ran alone. */
  readonly failing: Set<string>;
  readonly waiters: Set<Waiter>;
}

/**
 * The progress of the consumers of this process, for read-your-writes.
 *
 * It is kept in memory from what the writer, the relay and the runner report: asking costs no SQL, and waiting no polling.
 * It covers the changes that this process committed and those that it found at start, so it suits a process that is alone on
 * its log. Elsewhere nothing is reported, and {@link reached} resolves `failing` at once.
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
   * Resolves `caught-up` as soon as `consumer` has consumed every change up to `changeId`, or up to {@link latest} when
   * that is lower; it does not wait for later writes. Resolves `timeout` after `timeoutMs`, and earlier when waiting is
   * useless: `failing` when the consumer does not run here or fails on what is left, `unavailable` when it finds, after this
   * question, that a service it needs is unavailable.
   */
  reached(consumer: string, changeId: number, timeoutMs: number): Promise<Caught> {
    const backlog = this.backlogs.get(consumer);
    if (backlog === undefined) return Promise.resolve('failing');
    const upTo = Math.min(changeId, this.latestChange);
    const open = this.firstOpen(backlog);
    if (upTo < open.oldestPending) return Promise.resolve(upTo < open.failing ? 'caught-up' : 'failing');
    return new Promise((resolve) => {
      const waiter: Waiter = {
        upTo,
        resolve: (caught) => {
          clearTimeout(timer);
          backlog.waiters.delete(waiter);
          resolve(caught);
        },
      };
      const timer = setTimeout(() => waiter.resolve('timeout'), timeoutMs).unref();
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

  /** How many changes are committed and not known to be published, about. */
  get unpublishedChanges(): number {
    // Commits are reported in about their order.
    const [oldest] = this.unpublished.values();
    return oldest === undefined ? 0 : this.latestChange - oldest + 1;
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

  /** A job whose first change is `first` is enqueued next. */
  expect(consumer: string, job: string, first: number): void {
    const backlog = this.backlogs.get(consumer);
    backlog?.jobs.set(job, first);
    backlog?.failing.delete(job);
  }

  /** These jobs are done, or could not be enqueued. */
  done(consumer: string, jobs: readonly string[]): void {
    const backlog = this.backlogs.get(consumer);
    if (backlog === undefined) return;
    for (const job of jobs) {
      backlog.jobs.delete(job);
      backlog.failing.delete(job);
    }
    this.settle(backlog);
  }

  /** The job failed when it ran alone: it is retried, but readers do not wait for it. */
  failed(consumer: string, job: string): void {
    const backlog = this.backlogs.get(consumer);
    if (backlog?.jobs.has(job) !== true) return;
    backlog.failing.add(job);
    this.settle(backlog);
  }

  /** The consumer holds jobs and waits for a service that is unavailable. */
  unavailable(consumer: string): void {
    for (const waiter of [...(this.backlogs.get(consumer)?.waiters ?? [])]) waiter.resolve('unavailable');
  }

  private settle(backlog: Backlog): void {
    if (backlog.waiters.size === 0) return;
    const open = this.firstOpen(backlog);
    for (const waiter of [...backlog.waiters]) {
      if (waiter.upTo < open.oldestPending)
        waiter.resolve(waiter.upTo < open.failing ? 'caught-up' : 'failing');
    }
  }

  /** The first pending change, and the first failing one. */
  private firstOpen({ jobs, failing }: Backlog): { oldestPending: number; failing: number } {
    const open = { oldestPending: Infinity, failing: Infinity };
    for (const first of this.unpublished.values()) open.oldestPending = Math.min(open.oldestPending, first);
    for (const [job, first] of jobs) {
      const state = failing.has(job) ? 'failing' : 'oldestPending';
      open[state] = Math.min(open[state], first);
    }
    return open;
  }
}
