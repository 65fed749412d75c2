import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer, ChangeLogEntry } from '../../catalog/change/index.js';
import type { Job, JobQueue } from '../../catalog/queue/index.js';
import type { Database } from '../../catalog/store/index.js';
import { changesOf, markerJob, refuseSharedNames } from './change-job.js';
import type { ConsumerProgress } from './consumer-progress.js';
import type { Courtesy } from './courtesy.js';

/** The most entries handed to a consumer in one call. */
const ENTRIES_AT_ONCE = 1000;

/** Consumers give way to writers for this long at a time, and only while this many changes or fewer wait. */
const GIVE_WAY_MS = 2_000;
const GIVE_WAY_CHANGES = 100_000;

export interface ConsumerRunnerOptions {
  /** Jobs merged into one run. Default 20. */
  batch?: number;
  /** Tries of a job before it counts as failed. Default 10: with the pauses between them, some minutes. */
  attempts?: number;
  /** Whom the consumers give way to. Default nobody. */
  courtesy?: Courtesy;
  /** No other process consumes this log; then the progress of the consumers is reported. Default false. */
  alone?: boolean;
}

/**
 * Runs the consumers of the change log, each on the queue that has its name. The jobs name changes;
 * the entries are read here. The runner ends with its queue: {@link JobQueue.close} waits for what runs.
 */
export class ConsumerRunner {
  private readonly options: Required<Omit<ConsumerRunnerOptions, 'courtesy'>>;
  private readonly courtesy: Courtesy | undefined;
  private readonly logger = new Logger(ConsumerRunner.name);

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    options: ConsumerRunnerOptions = {},
  ) {
    const { courtesy, ...others } = options;
    this.courtesy = courtesy;
    this.options = { batch: 20, attempts: 10, alone: false, ...others };
  }

  /** Throws when two consumers share a name. Start it before the relay, so that the relay's jobs are counted. */
  async start(): Promise<void> {
    refuseSharedNames(this.consumers);
    const { batch, attempts, alone } = this.options;
    for (const consumer of this.consumers) {
      if (alone) await this.countWhatWaits(consumer);
      this.queue.process(consumer.name, { batch, attempts }, (jobs) => this.run(consumer, jobs));
    }
    this.logger.log(
      `consumers of the change log: ${this.consumers.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }

  /** Jobs of an earlier process may wait in the queue. A marker behind them tells when they are through. */
  private async countWhatWaits({ name }: ChangeLogConsumer): Promise<void> {
    const marker = markerJob(name);
    this.progress.follow(name);
    this.progress.expect(name, marker.id, 0);
    await this.queue.enqueue(name, [marker]);
  }

  private async run(consumer: ChangeLogConsumer, jobs: readonly Job[]): Promise<void> {
    try {
      const ids = changesOf(jobs);
      const behind = this.progress.latest - (ids[0] ?? 0);
      if (behind < GIVE_WAY_CHANGES) await this.courtesy?.giveWay(GIVE_WAY_MS);
      for (let from = 0; from < ids.length; from += ENTRIES_AT_ONCE) {
        const entries = await this.read(ids.slice(from, from + ENTRIES_AT_ONCE));
        if (entries.length > 0) await consumer.consume(entries);
      }
    } catch (error) {
      // A batch that failed is tried again job by job; only then is it known which of them is at fault.
      const [job, ...others] = jobs;
      if (job !== undefined && others.length === 0) this.progress.failed(consumer.name, job.id);
      throw error;
    }
    this.progress.done(
      consumer.name,
      jobs.map((job) => job.id),
    );
  }

  /** By id, not by position: the positions may not be given yet, and per entity both orders agree. */
  private async read(ids: readonly number[]): Promise<ChangeLogEntry[]> {
    const wanted = this.database.dialect.in('c.id', ids);
    const rows = await this.database.all<ChangeLogEntry>(
      `SELECT c.id AS id, e.urn AS urn, e.type AS entityType, c.sequence AS sequence, c.aspect AS aspect,
         c.change_type AS changeType, c.version_before AS versionBefore, c.version_after AS versionAfter,
         c.actor AS actor, c.time AS time, c.run_id AS runId
       FROM change_log c JOIN entity e ON e.id = c.entity_id WHERE ${wanted.sql} ORDER BY c.id`,
      wanted.params,
    );
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      sequence: Number(row.sequence),
      versionBefore: Number(row.versionBefore),
      versionAfter: Number(row.versionAfter),
      time: Number(row.time),
    }));
  }
}
