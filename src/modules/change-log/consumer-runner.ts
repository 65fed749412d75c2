import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer, ChangeLogEntry } from '../../catalog/change/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { MOST_UNFINISHED, type Job, type JobQueue } from '../../catalog/queue/index.js';
import { columnsOf, type Database } from '../../catalog/store/index.js';
import { NO_TRACING, type SpanHeading, type Tracing } from '../../catalog/tracing/index.js';
import { changesOf, partsOf, refuseSharedNames } from './change-job.js';
import type { PendingDeliveries } from './pending-deliveries.js';
import { BURST_CHANGES, type ConsumerProgress } from './consumer-progress.js';
import { outsideRequests, type BackgroundThrottle } from '../../catalog/schedule/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { EntityRow } from '../entities/index.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/**
 * Beyond so many pending changes consumers do not yield at all: clients that write so much notice little of it, and what was
 * written is found that much sooner.
 */
const URGENT_CHANGES = 10_000;

/** While a service that a consumer needs is unavailable, it retries with pauses that grow up to the longest. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

export interface ConsumerRunnerOptions {
  /** Jobs merged into one run, whose cost hardly depends on their number. Default 20. */
  batch?: number;
  /** Tries of a job before it waits for redelivery. Default 10: with the pauses between them, some minutes. */
  attempts?: number;
  /** The most entries read at once and passed to a consumer in one call. Default 250. */
  entries?: number;
  /** Lets consumers yield to writers. Default: they never yield. */
  throttle?: BackgroundThrottle;
  /** For how long at a time, milliseconds. Default 2 s. */
  yieldMs?: number;
  /** Whether no other process consumes this log; the runner then reports progress. Default false. */
  alone?: boolean;
  /** Makes the work of a consumer a part of the traces of the changes. */
  tracing?: Tracing;
}

/**
 * Runs the consumers of the change log, each on the queue of its name. Jobs name changes; the runner reads the entries.
 *
 * A job is retried until it succeeds, unless processes die of it: before its last try the runner splits it, so that only the
 * entity they die of is suspended. When a consumer reports that something it needs is unavailable, the runner holds the jobs
 * and waits. After any other failure the queue retries the jobs one by one, with pauses, and the relay redelivers those that
 * the queue gave up: they stay pending until they are done.
 */
export class ConsumerRunner {
  private readonly options: Required<Omit<ConsumerRunnerOptions, 'throttle'>>;
  private readonly throttle: BackgroundThrottle | undefined;
  private readonly logger = new Logger(ConsumerRunner.name);
  private readonly stopped = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    options: ConsumerRunnerOptions = {},
  ) {
    const { throttle, ...others } = options;
    this.throttle = throttle;
    const defaults = {
      batch: 20,
      entries: 250,
      attempts: 10,
      alone: false,
      yieldMs: 2_000,
      tracing: NO_TRACING,
    };
    this.options = { ...defaults, ...others };
    // One listener for each consumer that waits.
    setMaxListeners(0, this.stopped.signal);
  }

  /** Start it before the relay, so that the relay's jobs are counted. @throws Error when two consumers share a name */
  async start(): Promise<void> {
    refuseSharedNames(this.consumers);
    const { batch, attempts, alone } = this.options;
    for (const consumer of this.consumers) {
      if (alone) this.progress.follow(consumer.name);
      // Processes died of the job: readers do not wait for it.
      const suspend = async ({ id }: Pick<Job, 'id'>): Promise<void> =>
        this.progress.failed(consumer.name, id);
      this.queue.process(consumer.name, { batch, attempts, recorded: true, suspend }, (jobs) =>
        outsideRequests(() => this.run(consumer, jobs)),
      );
    }
    this.logger.log(
      `consumers of the change log: ${this.consumers.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }

  /** Ends waiting for unavailable services. Running jobs end with the queue: {@link JobQueue.close}. */
  stop(): void {
    this.stopped.abort();
  }

  private async run(consumer: ChangeLogConsumer, jobs: readonly Job[]): Promise<void> {
    const ids = jobs.map((job) => job.id);
    const [first] = jobs as [Job];
    if (first.unfinished === MOST_UNFINISHED - 1 && (await this.split(consumer, first))) return;
    const start = performance.now();
    let consumed = false;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        if (!consumed) await this.consume(consumer, changesOf(await this.open(consumer, jobs)));
        consumed = true;
        // The database may become unavailable between the two.
        await this.deliveries.done(consumer.name, ids);
        break;
      } catch (error) {
        if (!isUnavailable(error)) {
          // A failed batch is retried job by job; only then is it known which of them is at fault.
          if (ids.length === 1) await this.failed(consumer, ids, error);
          throw error;
        }
        if (wait === FIRST_RETRY_MS) {
          this.logger.warn(`${consumer.name} waits with ${ids.length} jobs: ${error.message}`);
        }
        // Not a failure of these changes: readers wait, or learn what is unavailable.
        this.progress.unavailable(consumer.name);
        await this.pause(wait, error);
      }
    }
    this.logger.debug(
      `${consumer.name}: done in ${Math.round(performance.now() - start)} ms: ${ids.join(' ')}`,
    );
    this.progress.done(consumer.name, ids);
  }

  /** Those of the jobs that are yet to be done: the queue may have been told of one again that was done, or split. */
  private async open({ name }: ChangeLogConsumer, jobs: readonly Job[]): Promise<Job[]> {
    const open = await this.deliveries.has(
      name,
      jobs.map((job) => job.id),
    );
    return jobs.filter((job) => open.has(job.id));
  }

  /** Replaces a job of several entities by one for each. @returns false when it has one entity only */
  private async split({ name }: ChangeLogConsumer, job: Job): Promise<boolean> {
    const ids = changesOf([job]);
    const entries: ChangeLogEntry[] = [];
    for (let from = 0; from < ids.length; from += this.options.entries)
      entries.push(...(await this.read(ids.slice(from, from + this.options.entries))));
    // They run alone, as this one does, and get two tries.
    const parts = partsOf(name, entries, MOST_UNFINISHED - 2).map((part) => ({ consumer: name, ...part }));
    if (parts.length < 2) return false;
    this.logger.warn(`${name}: ${job.id} is split into ${parts.length} jobs, as processes ended with it`);
    if (await this.deliveries.split(name, job.id, parts)) {
      for (const { request, firstChange } of parts) this.progress.expect(name, request.id, firstChange);
      await this.queue.notify(
        name,
        parts.map(({ request }) => request),
      );
    }
    this.progress.done(name, [job.id]);
    return true;
  }

  private async consume(consumer: ChangeLogConsumer, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const behind = this.progress.latest - (ids[0] ?? 0);
    if (this.throttle === undefined) return this.consumeAll(consumer, ids);
    if (behind >= URGENT_CHANGES) return this.throttle.awaiting(() => this.consumeAll(consumer, ids));
    if (behind <= BURST_CHANGES) await this.throttle.yieldToWriters(this.options.yieldMs);
    await this.consumeAll(consumer, ids);
  }

  private async consumeAll(consumer: ChangeLogConsumer, ids: readonly number[]): Promise<void> {
    const { entries: limit, tracing } = this.options;
    for (let from = 0; from < ids.length; from += limit) {
      const some = ids.slice(from, from + limit);
      if (!tracing.on) await this.consumeSome(consumer, some);
      else
        await tracing.shared(await this.traces(some), spanOf(consumer, some), () =>
          this.consumeSome(consumer, some),
        );
    }
  }

  private async consumeSome(consumer: ChangeLogConsumer, ids: readonly number[]): Promise<void> {
    if (consumer.consumeUrns) {
      await this.throttle?.yieldToRequests();
      return consumer.consumeUrns(await this.urns(ids));
    }
    // Jobs of an earlier version of the service may name changes that the consumer no longer wants.
    const entries = (await this.read(ids)).filter((entry) => consumer.wants(entry));
    await this.throttle?.yieldToRequests();
    if (entries.length > 0) await consumer.consume(entries);
  }

  /** Tells readers that wait for these jobs. */
  private async failed({ name }: ChangeLogConsumer, jobs: readonly string[], error: unknown): Promise<void> {
    for (const job of jobs) this.progress.failed(name, job);
    // When the database itself is unavailable nothing can be recorded, and nothing can be asked either.
    const reason = error instanceof Error ? error.message : String(error);
    await this.deliveries.failed(name, jobs, reason).catch(() => undefined);
  }

  /** @throws what the runner waits for, when it stops */
  private async pause(ms: number, reason: CatalogError): Promise<void> {
    const spread = ms * (0.75 + Math.random() / 4);
    await setTimeout(spread, undefined, { signal: this.stopped.signal }).catch(() => {
      throw reason;
    });
  }

  /** `traceparent` of the requests that made these changes, as far as they were traced. */
  private async traces(ids: readonly number[]): Promise<string[]> {
    const wanted = this.database.dialect.in('id', ids);
    const rows = await this.database.all<{ trace: string }>(
      `SELECT trace, MIN(id) AS first FROM change_log WHERE trace IS NOT NULL AND ${wanted.sql}
       GROUP BY trace ORDER BY first`,
      wanted.params,
    );
    return rows.map(({ trace }) => trace);
  }

  /** The entities that these changes are of, each once. */
  private async urns(ids: readonly number[]): Promise<string[]> {
    const wanted = this.database.dialect.in(c.id, ids);
    const rows = await this.database.all<{ urn: string }>(
      `SELECT DISTINCT ${e.urn} AS urn FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id} WHERE ${wanted.sql}`,
      wanted.params,
    );
    return rows.map(({ urn }) => urn);
  }

  /** By id, not by position: the positions may not be given yet, and per entity both orders agree. */
  private async read(ids: readonly number[]): Promise<ChangeLogEntry[]> {
    const wanted = this.database.dialect.in(c.id, ids);
    const rows = await this.database.all<ChangeLogEntry>(
      `SELECT ${c.id} AS id, ${e.urn} AS urn, ${e.type} AS entityType, ${c.sequence} AS sequence, ${c.aspect} AS aspect,
         ${c.change_type} AS changeType, ${c.version_before} AS versionBefore, ${c.version_after} AS versionAfter,
         ${c.actor} AS actor, ${c.time} AS time, ${c.run_id} AS runId
       FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id} WHERE ${wanted.sql} ORDER BY ${c.id}`,
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

function spanOf({ name }: ChangeLogConsumer, ids: readonly number[]): SpanHeading {
  const attributes = { 'messaging.destination.name': name, 'catalog.changes': ids.length };
  return { name: `process ${name}`, kind: 'consumer', attributes };
}

/** Whether a service that the consumer needs is unavailable; nothing is wrong with the changes then. */
function isUnavailable(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.kind === 'unavailable';
}
