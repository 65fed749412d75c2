import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer, ChangeLogHeading } from '../../catalog/change/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import type { Database, SqlReader, Transaction } from '../../catalog/store/index.js';
import { changeJobs, rangesOf, refuseSharedNames } from './change-job.js';
import { byConsumer, type ConsumerBacklog, type OpenJob } from './consumer-backlog.js';
import type { ConsumerProgress } from './consumer-progress.js';
import { Courtesy } from './courtesy.js';
import { Portions } from './portions.js';

/** How long the relay lets writers go first: then it publishes the changes of many commits at once. */
const GIVE_WAY_MS = 200;

/** Changes published at once, at least, while requests wait for the thread. */
const LEAST_AT_ONCE = 100;

/** The most jobs of a consumer that the queue is told of again in one go. */
const RING_AT_ONCE = 1000;

export interface ChangeLogRelayOptions {
  /** Whom the relay gives way to. Default nobody. */
  courtesy?: Courtesy;
  /** No other process relays this log; then the progress of the consumers is reported. Default false. */
  alone?: boolean;
  /** Changes published at once. Default 1000. */
  batch?: number;
  /** Changes named by one job. Default 200. */
  chunk?: number;
  /** How often to look for changes of other processes, and for what a crash or the queue lost. Default 1 s. */
  pollMs?: number;
  /** After which time the queue is told again of a job that is not done. Default 60 s. */
  ringAgainMs?: number;
  /**
   * The same, when the queue knows of no job of that consumer at all, or may not have been told of this one yet.
   * Default 2 s.
   */
  lostMs?: number;
}

/** What one transaction published. */
interface Published {
  ids: number[];
  jobs: OpenJob[];
}

/**
 * Carries committed changes from the log to the queues of the consumers, and gives them their positions.
 *
 * One transaction gives the positions and enters the jobs into the backlog of the consumers; the queue is told after
 * it, and told again of what stays there for too long. So the queue may lose jobs, be wiped or be away: nothing is
 * lost, and everything may happen twice. Positions are dense, follow the commits, and never change.
 */
export class ChangeLogRelay {
  private readonly options: Required<Omit<ChangeLogRelayOptions, 'courtesy'>>;
  private readonly courtesy: Courtesy;
  private readonly portions: Portions;
  private readonly logger = new Logger(ChangeLogRelay.name);
  private started = false;
  /** The run in progress; the relay sleeps when there is none. */
  private running: Promise<void> | undefined;
  private rung = false;
  /** After a failure no ring wakes the relay before the pause is over: the bell rings with every write. */
  private resting = false;
  private timer: NodeJS.Timeout | undefined;
  private nextLook = 0;
  private publishedCount = 0;
  /** What an earlier process of this log published and nobody has done. */
  private inherited: OpenJob[] = [];

  constructor(
    private readonly database: Database,
    private readonly backlog: ConsumerBacklog,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    options: ChangeLogRelayOptions = {},
  ) {
    const { courtesy, ...others } = options;
    this.courtesy = courtesy ?? new Courtesy();
    this.options = {
      alone: false,
      batch: 1000,
      chunk: 200,
      pollMs: 1000,
      ringAgainMs: 60_000,
      lostMs: 2000,
      ...others,
    };
    this.portions = new Portions(this.courtesy, { least: LEAST_AT_ONCE, most: this.options.batch });
  }

  /** Changes that this process has published. */
  get published(): number {
    return this.publishedCount;
  }

  /**
   * Begins to publish, first what earlier processes left. Throws when two consumers share a name.
   * A process that never starts its relay only writes: another finds its changes by polling.
   */
  async start(): Promise<void> {
    refuseSharedNames(this.consumers);
    if (this.options.alone) {
      const [row] = await this.database.all<{ last: number | null }>(
        'SELECT MAX(id) AS last FROM change_log',
      );
      this.progress.committed(Number(row?.last ?? 0));
      for (const { name } of this.consumers) this.inherited.push(...(await this.backlog.open(name)));
      this.expect(this.inherited);
    }
    this.started = true;
    this.wake();
  }

  /** Finishes the batch at hand and publishes no more. */
  async stop(): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    await this.running;
  }

  /** To be called after the commit, before the write is answered, with the last change that it made where that is known. */
  ring(lastChangeId: number | undefined): void {
    if (!this.started) return;
    if (this.options.alone && lastChangeId !== undefined) this.progress.committed(lastChangeId);
    this.wake();
  }

  private wake(): void {
    this.rung = true;
    if (this.started && !this.resting) this.running ??= this.run();
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let more = true;
    let published = Infinity;
    while (this.started && (this.rung || more)) {
      if (published < this.options.batch) await this.courtesy.between();
      else {
        await this.courtesy.giveWay(GIVE_WAY_MS);
        published = 0;
      }
      this.rung = false;
      try {
        await this.tell(this.inherited);
        this.inherited = [];
        const before = this.publishedCount;
        more = await this.pass();
        published = more ? published + this.publishedCount - before : Infinity;
        if (!more) await this.ringAgain();
      } catch (error) {
        this.logger.warn(
          `changes could not be published: ${error instanceof Error ? error.message : String(error)}`,
        );
        this.resting = true;
        break;
      }
    }
    this.running = undefined;
    if (this.started) this.timer = setTimeout(() => this.look(), this.options.pollMs).unref();
  }

  private look(): void {
    this.resting = false;
    this.wake();
  }

  /** Publishes one batch; answers whether there may be more. */
  private async pass(): Promise<boolean> {
    const { batch, alone } = this.options;
    // With a server most of the work is its, and a transaction is what costs.
    const limit = alone ? this.portions.next : batch;
    const commits = alone ? this.progress.toPublish() : [];
    const { ids, jobs } = await this.portions.measured(
      () => this.publish(limit),
      (published) => published.ids.length,
    );
    this.publishedCount += ids.length;
    // In the book of this process before anybody can do them, and before the changes count as published.
    this.expect(jobs);
    const full = ids.length === limit;
    if (alone) this.progress.published(commits, full ? (ids.at(-1) as number) : Infinity);
    await this.tell(jobs);
    return full;
  }

  private expect(jobs: readonly OpenJob[]): void {
    for (const job of jobs) this.progress.expect(job.consumer, job.request.id, job.firstChange);
  }

  private async publish(limit: number): Promise<Published> {
    const nothing = { ids: [], jobs: [] };
    if ((await this.unpublished(this.database, 1)).length === 0) return nothing;
    // What is lost here with the power is published again: the changes themselves are safe.
    return this.database.transaction(
      async (tx) => {
        await this.lock(tx);
        const changes = await this.unpublished(tx, limit);
        if (changes.length === 0) return nothing;
        const ids = changes.map(({ id }) => id);
        await this.position(tx, ids);
        const jobs = this.consumers.flatMap((consumer) => this.jobsOf(consumer, changes));
        await this.backlog.add(tx, jobs);
        return { ids, jobs };
      },
      { survives: 'process' },
    );
  }

  private jobsOf(consumer: ChangeLogConsumer, changes: readonly ChangeLogHeading[]): OpenJob[] {
    const { chunk } = this.options;
    const wanted = changes.filter((change) => consumer.wants(change)).map(({ id }) => id);
    return changeJobs(consumer.name, wanted, chunk).map((request, i) => ({
      consumer: consumer.name,
      request,
      firstChange: wanted[i * chunk] as number,
    }));
  }

  private async unpublished(reader: SqlReader, limit: number): Promise<ChangeLogHeading[]> {
    const rows = await reader.all<ChangeLogHeading>(
      `SELECT c.id AS id, e.type AS entityType, c.aspect AS aspect, c.change_type AS changeType,
         c.version_before AS versionBefore, c.version_after AS versionAfter, c.run_id AS runId
       FROM change_log c LEFT JOIN entity e ON e.id = c.entity_id
       WHERE c.position = 0 ORDER BY c.id LIMIT ?`,
      [limit],
    );
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      versionBefore: Number(row.versionBefore),
      versionAfter: Number(row.versionAfter),
    }));
  }

  private async position(tx: Transaction, ids: readonly number[]): Promise<void> {
    const [top] = await tx.all<{ position: number }>(
      'SELECT position FROM change_log ORDER BY position DESC LIMIT 1',
    );
    let next = Number(top?.position ?? 0) + 1;
    // Ids hardly have gaps, so a statement per range is a statement per batch. A range names only what was read: a
    // change that a slow commit brings to light between them comes with the next batch.
    for (const [first, last] of rangesOf(ids)) {
      await tx.run('UPDATE change_log SET position = id + ? WHERE id BETWEEN ? AND ?', [
        next - first,
        first,
        last,
      ]);
      next += last - first + 1;
    }
  }

  /** Rings the bell of the consumers. When that fails the backlog still has the jobs. */
  private async tell(jobs: readonly OpenJob[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await Promise.all(
        this.consumers.map(async ({ name }) => {
          const own = jobs.filter(({ consumer }) => consumer === name).map(({ request }) => request);
          if (own.length > 0) await this.queue.enqueue(name, own);
        }),
      );
    } catch (error) {
      for (const [consumer, ids] of byConsumer(jobs)) {
        for (const id of ids) this.progress.failed(consumer, id);
      }
      await this.backlog.unheard(jobs);
      throw error;
    }
  }

  /**
   * Tells the queue again of jobs that it has lost, or never heard of. A job that stays for long is told of once more
   * in any case: the queue may have lost some of them only, or have given one up.
   */
  private async ringAgain(): Promise<void> {
    if (Date.now() < this.nextLook) return;
    this.nextLook = Date.now() + this.options.pollMs / 2;
    const oldest = await this.backlog.oldestRings();
    const now = Date.now();
    const { lostMs, ringAgainMs } = this.options;
    const suspects = this.consumers.filter(({ name }) => (oldest.get(name) ?? Infinity) <= now - lostMs);
    if (suspects.length === 0) return;
    const stats = await this.queue.stats();
    for (const { name } of suspects) {
      const its = stats[name];
      const lost =
        its === undefined || its.waiting + its.active + its.delayed + its.failed + its.stalled === 0;
      await this.tellAgain(name, {
        // Whoever published them may have died before it rang.
        untoldSince: now - lostMs,
        toldBefore: now - (lost ? lostMs : ringAgainMs),
      });
    }
  }

  private async tellAgain(
    consumer: string,
    which: Parameters<ConsumerBacklog['takeUnrung']>[1],
  ): Promise<void> {
    for (;;) {
      const jobs = await this.backlog.takeUnrung(consumer, which, RING_AT_ONCE);
      this.expect(jobs);
      await this.tell(jobs);
      if (jobs.length > 0) this.logger.log(`${consumer}: the queue was told again of ${jobs.length} jobs`);
      if (jobs.length < RING_AT_ONCE || !this.started) return;
    }
  }

  /**
   * One sequencer at a time. SQLite has one writer anyway. Where rows are locked (MySQL), the first row of the
   * log is the mutex: it exists whenever there is something to publish, no writer touches it, and a clean-up
   * that deletes it has to wait for the lock, so that all relays always meet at the same row. Under READ
   * COMMITTED the statements after it see what the holder before committed. A clean-up must leave the row with
   * the highest position in place, or positions would begin again.
   */
  private async lock(tx: Transaction): Promise<void> {
    await tx.all(`SELECT id FROM change_log ORDER BY id LIMIT 1 ${tx.dialect.forUpdate}`);
  }
}
