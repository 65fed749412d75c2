import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer } from '../../catalog/change/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import type { Database, Transaction } from '../../catalog/store/index.js';
import { changeJobs, rangesOf, refuseSharedNames } from './change-job.js';
import type { ConsumerProgress } from './consumer-progress.js';
import type { Courtesy } from './courtesy.js';

/** How long the relay lets writers go first: then it publishes the changes of many commits at once. */
const GIVE_WAY_MS = 200;

export interface ChangeLogRelayOptions {
  /** Whom the relay gives way to. Default nobody. */
  courtesy?: Courtesy;
  /**
   * No other process relays this log. Then no lease is needed, and the progress of the consumers is reported.
   * Default false.
   */
  alone?: boolean;
  /** Changes published at once. Default 1000. */
  batch?: number;
  /** Changes named by one job. Default 200. */
  chunk?: number;
  /** How often to look for changes of other processes, and for what a crash left. Default 1 s. */
  pollMs?: number;
  /** How long this relay may publish one batch before another takes over. Default 10 s. */
  leaseMs?: number;
  /** When to look again while another relay is at work. Default 50 ms. */
  busyPauseMs?: number;
}

/** Changes to publish; `busy` when another relay is publishing. */
interface Batch {
  ids: number[];
  busy: boolean;
}

/**
 * Carries committed changes from the log to the queues of the consumers, and gives them their positions.
 *
 * Jobs are enqueued first and the changes marked after, so a crash in between repeats jobs and loses none.
 * Positions are dense, follow the commits, and never change. One relay works at a time: the lease on the first
 * unpublished change elects it.
 */
export class ChangeLogRelay {
  private readonly options: Required<Omit<ChangeLogRelayOptions, 'courtesy'>>;
  private readonly courtesy: Courtesy | undefined;
  private readonly logger = new Logger(ChangeLogRelay.name);
  private started = false;
  /** The run in progress; the relay sleeps when there is none. */
  private running: Promise<void> | undefined;
  private rung = false;
  /** After a failure no ring wakes the relay before the pause is over: the bell rings with every write. */
  private resting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    options: ChangeLogRelayOptions = {},
  ) {
    const { courtesy, ...others } = options;
    this.courtesy = courtesy;
    this.options = {
      alone: false,
      batch: 1000,
      chunk: 200,
      pollMs: 1000,
      leaseMs: 10_000,
      busyPauseMs: 50,
      ...others,
    };
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

  /** To be called after the commit, before the write is answered, with the last change that it made. */
  ring(lastChangeId: number): void {
    if (!this.started) return;
    if (this.options.alone) this.progress.committed(lastChangeId);
    this.wake();
  }

  private wake(): void {
    this.rung = true;
    if (this.started && !this.resting) this.running ??= this.run();
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let pause = 0;
    while (this.started && (this.rung || pause === 0)) {
      await this.courtesy?.giveWay(GIVE_WAY_MS);
      this.rung = false;
      try {
        pause = await this.pass();
      } catch (error) {
        this.logger.warn(
          `changes could not be published: ${error instanceof Error ? error.message : String(error)}`,
        );
        pause = this.options.pollMs;
        this.resting = true;
        break;
      }
    }
    this.running = undefined;
    if (this.started) this.timer = setTimeout(() => this.look(), pause).unref();
  }

  private look(): void {
    this.resting = false;
    this.wake();
  }

  /** Publishes one batch; answers after which pause to look again. */
  private async pass(): Promise<number> {
    const { batch, busyPauseMs, pollMs } = this.options;
    const commits = this.progress.toPublish();
    const { ids, busy } = await this.take();
    if (ids.length > 0) {
      await this.enqueue(ids);
      await this.publish(ids);
    }
    const full = ids.length === batch;
    this.progress.published(commits, full ? (ids.at(-1) as number) : Infinity);
    if (full) return 0;
    return busy ? busyPauseMs : pollMs;
  }

  private async take(): Promise<Batch> {
    const unpublished = await this.unpublished(this.database);
    if (unpublished.length === 0) return { ids: [], busy: false };
    if (this.options.alone) return { ids: unpublished.map((row) => row.id), busy: false };
    return this.database.transaction(async (tx) => {
      await this.lock(tx);
      const rows = await this.unpublished(tx);
      const now = Date.now();
      if (rows.some((row) => row.leaseUntil > now)) return { ids: [], busy: true };
      const first = rows[0];
      if (first === undefined) return { ids: [], busy: false };
      // One row stands for all: nobody publishes while any lease on an unpublished change is alive.
      await tx.run('UPDATE change_log SET lease_until = ? WHERE id = ?', [
        now + this.options.leaseMs,
        first.id,
      ]);
      return { ids: rows.map((row) => row.id), busy: false };
    });
  }

  private async unpublished(
    reader: Database | Transaction,
  ): Promise<Array<{ id: number; leaseUntil: number }>> {
    const rows = await reader.all<{ id: number; lease_until: number }>(
      'SELECT id, lease_until FROM change_log WHERE position = 0 ORDER BY id LIMIT ?',
      [this.options.batch],
    );
    return rows.map((row) => ({ id: Number(row.id), leaseUntil: Number(row.lease_until) }));
  }

  private async enqueue(ids: readonly number[]): Promise<void> {
    await Promise.all(
      this.consumers.map(async ({ name }) => {
        const jobs = changeJobs(name, ids, this.options.chunk);
        jobs.forEach((job, i) => this.progress.expect(name, job.id, ids[i * this.options.chunk] as number));
        try {
          await this.queue.enqueue(name, jobs);
        } catch (error) {
          // The changes stay unpublished and will come in other jobs.
          this.progress.done(
            name,
            jobs.map((job) => job.id),
          );
          throw error;
        }
      }),
    );
  }

  private async publish(ids: readonly number[]): Promise<void> {
    const ours = new Set(ids);
    // What is lost here with the power is published again: the changes themselves are safe.
    const relaxed = { survives: 'process' } as const;
    await this.database.transaction(async (tx) => {
      await this.lock(tx);
      // A relay that outlived its lease finds changes published by its successor. And a change of a slow
      // commit may have come to light between ours: it has no job yet.
      const rows = await tx.all<{ id: number }>(
        'SELECT id FROM change_log WHERE position = 0 AND id BETWEEN ? AND ? ORDER BY id',
        [ids[0] as number, ids.at(-1) as number],
      );
      const [top] = await tx.all<{ position: number }>(
        'SELECT position FROM change_log ORDER BY position DESC LIMIT 1',
      );
      let next = Number(top?.position ?? 0) + 1;
      // Ids hardly have gaps, so a statement per range is a statement per batch.
      for (const [first, last] of rangesOf(rows.map((row) => Number(row.id)).filter((id) => ours.has(id)))) {
        await tx.run('UPDATE change_log SET position = id + ?, lease_until = 0 WHERE id BETWEEN ? AND ?', [
          next - first,
          first,
          last,
        ]);
        next += last - first + 1;
      }
    }, relaxed);
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
