import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer, ChangeLogHeading } from '../../catalog/change/index.js';
import { LoggedError } from '../../catalog/errors/index.js';
import { byConsumer, type PendingDelivery } from '../../catalog/pending-work/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import { columnsOf, type Database, type SqlReader, type Transaction } from '../../catalog/store/index.js';
import { NO_TRACING, type Tracing } from '../../catalog/tracing/index.js';
import { changeJobs, rangesOf, refuseSharedNames } from './change-job.js';
import type { PendingDeliveries } from './pending-deliveries.js';
import { BURST_CHANGES, type ConsumerProgress } from './consumer-progress.js';
import { AdaptiveBatch, BackgroundThrottle, outsideRequests } from '../../catalog/schedule/index.js';
import { headingOf, type FeedHeading } from './change-feed.repository.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { PublishableChange, Published } from './log-writer.js';
import type { EntityRow } from '../entities/index.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/** How long the relay yields to writers: it then publishes the changes of many commits at once. */
const YIELD_MS = 200;

/** The smallest batch, while requests wait for the thread. */
const LEAST_AT_ONCE = 100;

/** The batch while writers are far ahead: a transaction waits its turn among theirs. */
const STREAM_AT_ONCE = 4000;

/** The most jobs of a consumer that are redelivered in one statement. */
const REDELIVER_AT_ONCE = 1000;

export interface OutboxRelayOptions {
  /** Lets the relay yield to requests. Default: it never yields. */
  throttle?: BackgroundThrottle;
  /** Whether no other process relays this log; the relay then reports the progress of consumers. Default false. */
  alone?: boolean;
  /** Changes published at once. Default 1000. */
  batch?: number;
  /** Changes named by one job. Default 200. */
  chunk?: number;
  /** Polling interval for changes of other processes and for lost jobs. Default 1 s. */
  pollMs?: number;
  /** Age at which a pending job is redelivered. Default 60 s. */
  redeliverMs?: number;
  /** The same where the queue has no job of that consumer, or may not have been notified of this one. Default 2 s. */
  lostMs?: number;
  /** Whether a reader waits for what was committed: the relay then yields for a moment only. Default never. */
  urgent?: () => boolean;
  /** Called when changes have got their positions, with what makes their headings, in their order. */
  published?: (entries: () => readonly FeedHeading[]) => void;
  /** Makes the notification of consumers a part of the traces of the changes. */
  tracing?: Tracing;
}

type UnpublishedChange = ChangeLogHeading &
  Omit<FeedHeading, 'position'> & {
    trace: string | null;
  };

const NOTHING: Published = { ids: [], position: 0, entries: () => [], jobs: [], traces: [] };

/**
 * The relay of the transactional outbox: publishes committed changes to the queues of the consumers and gives them their
 * positions.
 *
 * One transaction assigns the positions and inserts the pending deliveries: that of the changes themselves where there is one
 * writer ({@link publishWith}), else one of the relay's own. Afterwards the relay notifies the queue, and
 * redelivers what stays pending for too long. So the queue may lose jobs, be wiped or be unavailable: delivery is at least
 * once. Positions are dense, follow the commits, and never change.
 */
export class OutboxRelay {
  private readonly options: Required<Omit<OutboxRelayOptions, 'throttle'>>;
  private readonly throttle: BackgroundThrottle;
  private readonly batches: AdaptiveBatch;
  private readonly logger = new Logger(OutboxRelay.name);
  private started = false;
  /** The run in progress; undefined while the relay is idle. */
  private running: Promise<void> | undefined;
  private woken = false;
  /** After a failure no notification wakes the relay before the pause is over: every write notifies it. */
  private pausing = false;
  /** Whether the last failure is in the log and lasts. */
  private failing = false;
  private timer: NodeJS.Timeout | undefined;
  private nextLook = 0;
  private publishedCount = 0;
  /** Pending deliveries that an earlier process published. */
  private inherited: PendingDelivery[] = [];

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    options: OutboxRelayOptions = {},
  ) {
    const { throttle, ...others } = options;
    this.throttle = throttle ?? new BackgroundThrottle();
    this.options = {
      alone: false,
      batch: 1000,
      chunk: 200,
      pollMs: 1000,
      redeliverMs: 60_000,
      lostMs: 2000,
      urgent: () => false,
      published: () => undefined,
      tracing: NO_TRACING,
      ...others,
    };
    this.batches = new AdaptiveBatch(this.throttle, { least: LEAST_AT_ONCE, most: this.options.batch });
  }

  /** Changes that this process has published. */
  get published(): number {
    return this.publishedCount;
  }

  /**
   * Starts publishing, first what earlier processes left.
   * A process that never starts its relay only writes: the relays of others find its changes by polling.
   * @throws Error when two consumers share a name
   */
  async start(): Promise<void> {
    refuseSharedNames(this.consumers);
    if (this.options.alone) {
      const [row] = await this.database.all<{ last: number | null }>(
        'SELECT MAX(id) AS last FROM change_log',
      );
      this.progress.committed(Number(row?.last ?? 0));
      for (const { name } of this.consumers) this.inherited.push(...(await this.deliveries.open(name)));
      await this.expectPending(this.inherited);
    }
    this.started = true;
    this.wake();
  }

  /** Finishes the current batch and stops publishing. */
  async stop(): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    await this.running;
  }

  /** To be called after a commit, before the response, with its last change where that is known. */
  notify(lastChangeId: number | undefined): void {
    if (!this.started) return;
    if (this.options.alone && lastChangeId !== undefined) this.progress.committed(lastChangeId);
    this.wake();
  }

  /**
   * Publishes changes in the transaction that is about to write them. Only a process that is alone can: of several, each would
   * have to wait for the commits of the others.
   * @returns undefined where the relay publishes them later: also when it has to publish earlier ones first
   */
  async publishWith(tx: Transaction, changes: readonly PublishableChange[]): Promise<Published | undefined> {
    if (!this.started || !this.options.alone || changes.length === 0) return undefined;
    const [log] = await tx.all<{ top: number | null; unpublished: number | null }>(
      `SELECT (SELECT position FROM change_log ORDER BY position DESC LIMIT 1) AS top,
         (SELECT id FROM change_log WHERE position = 0 LIMIT 1) AS unpublished`,
    );
    const first = await tx.reserve('change_log', changes.length);
    if (first === undefined || (log?.unpublished ?? null) !== null) return undefined;
    const numbered = changes.map((change, i) => unpublishedOf(change, first + i));
    let jobs: PendingDelivery[];
    try {
      jobs = this.jobsOf(numbered);
    } catch {
      // A consumer that fails to choose shall not keep anything from being written; the relay tells of it.
      return undefined;
    }
    return this.deliver(tx, numbered, jobs, (log?.top ?? 0) + 1);
  }

  /** To be called after the commit of what {@link publishWith} published, before the response. */
  notifyPublished({ ids, entries, jobs, traces }: Published): void {
    const last = ids.at(-1) as number;
    this.publishedCount += ids.length;
    this.progress.committed(last);
    this.progress.published([last], last);
    this.options.published(entries);
    const notified = outsideRequests(() =>
      this.options.tracing.outside(() => this.notifyTraced(jobs, traces)),
    );
    // What the queue was not notified of is redelivered.
    notified.catch((error: unknown) => this.failed(error));
  }

  /** To be called when the transaction of what {@link publishWith} published has failed. */
  revoke({ jobs }: Published): void {
    this.forget(jobs);
  }

  private wake(): void {
    this.woken = true;
    if (this.started && !this.pausing)
      this.running ??= outsideRequests(() => this.options.tracing.outside(() => this.run()));
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let more = true;
    let published = Infinity;
    while (this.started && (this.woken || more)) {
      if (published < this.options.batch) await this.throttle.yieldToRequests();
      else {
        await this.throttle.yieldToWriters(YIELD_MS, () => this.options.urgent() || this.isStream);
        published = 0;
      }
      this.woken = false;
      try {
        await this.notifyConsumers(this.inherited);
        this.inherited = [];
        const before = this.publishedCount;
        more = await this.pass();
        published = more ? published + this.publishedCount - before : Infinity;
        if (!more) await this.redeliver();
        if (this.failing) this.logger.warn('changes are published again');
        this.failing = false;
      } catch (error) {
        this.failed(error);
        this.pausing = true;
        break;
      }
    }
    this.running = undefined;
    if (this.started) this.timer = setTimeout(() => this.look(), this.options.pollMs).unref();
  }

  /** Logs a failure once, until changes are published again. */
  private failed(error: unknown): void {
    if (this.failing || error instanceof LoggedError) return;
    this.failing = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`changes could not be published: ${reason}`);
  }

  private look(): void {
    this.pausing = false;
    this.wake();
  }

  /** Publishes one batch. @returns whether there may be more */
  private async pass(): Promise<boolean> {
    const { batch, alone } = this.options;
    // A server does most of the work, and each transaction costs a fixed price.
    const limit = !alone ? batch : this.isStream ? STREAM_AT_ONCE : this.batches.next;
    const commits = alone ? this.progress.toPublish() : [];
    const { ids, entries, jobs, traces } = await this.batches.measured(
      () => this.publish(limit),
      (published) => published.ids.length,
    );
    this.publishedCount += ids.length;
    if (ids.length > 0) this.options.published(entries);
    const full = ids.length === limit;
    if (alone) this.progress.published(commits, full ? (ids.at(-1) as number) : Infinity);
    await this.notifyTraced(jobs, traces);
    return full;
  }

  /** Whether writers are far ahead, and go on. */
  private get isStream(): boolean {
    return this.progress.unpublishedChanges > BURST_CHANGES;
  }

  private expect(jobs: readonly PendingDelivery[]): void {
    for (const job of jobs) this.progress.expect(job.consumer, job.request.id, job.firstChange);
  }

  private forget(jobs: readonly PendingDelivery[]): void {
    for (const [consumer, ids] of byConsumer(jobs)) this.progress.done(consumer, ids);
  }

  /** Expects jobs that were pending a moment ago: a runner may have finished some of them since. */
  private async expectPending(jobs: readonly PendingDelivery[]): Promise<void> {
    this.expect(jobs);
    if (!this.options.alone) return;
    for (const [consumer, ids] of byConsumer(jobs)) {
      const pending = await this.deliveries.has(consumer, ids);
      this.progress.done(
        consumer,
        ids.filter((id) => !pending.has(id)),
      );
    }
  }

  private async publish(limit: number): Promise<Published> {
    if ((await this.unpublished(this.database, 1)).length === 0) return NOTHING;
    let published = NOTHING;
    // A power loss may undo this: the changes are safe and are published again.
    return this.database
      .transaction(
        async (tx) => {
          await this.lock(tx);
          const changes = await this.unpublished(tx, limit);
          if (changes.length === 0) return NOTHING;
          const position = await this.position(
            tx,
            changes.map(({ id }) => id),
          );
          return (published = await this.deliver(tx, changes, this.jobsOf(changes), position));
        },
        { survives: 'process' },
      )
      .catch((error: unknown) => {
        // The changes are still unpublished, and readers wait for that.
        this.revoke(published);
        throw error;
      });
  }

  /** Inserts the deliveries of changes, the first of which has this position. */
  private async deliver(
    tx: Transaction,
    changes: readonly UnpublishedChange[],
    jobs: readonly PendingDelivery[],
    position: number,
  ): Promise<Published> {
    await this.deliveries.add(tx, jobs);
    // Known here before the commit, after which a runner may finish them, and before the changes count as published.
    this.expect(jobs);
    return {
      ids: changes.map(({ id }) => id),
      position,
      // Mostly no reader waits at the end of the log.
      entries: () => changes.map((change, i) => headingOf({ ...change, position: position + i })),
      jobs,
      traces: changes.map(({ trace }) => trace),
    };
  }

  private jobsOf(changes: readonly ChangeLogHeading[]): PendingDelivery[] {
    const { chunk } = this.options;
    return this.consumers.flatMap((consumer) => {
      const wanted = changes.filter((change) => consumer.wants(change)).map(({ id }) => id);
      return changeJobs(consumer.name, wanted, chunk).map((request, i) => ({
        consumer: consumer.name,
        request,
        firstChange: wanted[i * chunk] as number,
      }));
    });
  }

  private async unpublished(reader: SqlReader, limit: number): Promise<UnpublishedChange[]> {
    const rows = await reader.all<UnpublishedChange>(
      `SELECT ${c.id} AS id, ${c.entity_id} AS entityId, ${e.urn} AS urn, ${e.type} AS entityType, ${c.sequence} AS sequence,
         ${c.aspect} AS aspect, ${c.change_type} AS changeType, ${c.version_before} AS versionBefore,
         ${c.version_after} AS versionAfter, ${c.time} AS time, ${c.run_id} AS runId, ${c.trace} AS trace
       FROM change_log c LEFT JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE ${c.position} = 0 ORDER BY ${c.id} LIMIT ?`,
      [limit],
    );
    for (const row of rows) {
      row.id = Number(row.id);
      row.versionBefore = Number(row.versionBefore);
      row.versionAfter = Number(row.versionAfter);
    }
    return rows;
  }

  /** @returns the first position */
  private async position(tx: Transaction, ids: readonly number[]): Promise<number> {
    const [top] = await tx.all<Pick<ChangeLogRow, 'position'>>(
      'SELECT position FROM change_log ORDER BY position DESC LIMIT 1',
    );
    const start = Number(top?.position ?? 0) + 1;
    let next = start;
    // Ids hardly have gaps, so a batch is about one range. A range covers only what was read: a change that a slow
    // commit makes visible in between comes with the next batch.
    for (const [first, last] of rangesOf(ids)) {
      await tx.run('UPDATE change_log SET position = id + ? WHERE id BETWEEN ? AND ?', [
        next - first,
        first,
        last,
      ]);
      next += last - first + 1;
    }
    return start;
  }

  private notifyTraced(jobs: readonly PendingDelivery[], traces: Published['traces']): Promise<void> {
    return this.options.tracing.shared(traces, { name: 'publish changes' }, () => this.notifyConsumers(jobs));
  }

  /** Notifies the queues of the consumers. When that fails the deliveries stay pending. */
  private async notifyConsumers(jobs: readonly PendingDelivery[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await Promise.all(
        this.consumers.map(async ({ name }) => {
          const own = jobs.filter(({ consumer }) => consumer === name).map(({ request }) => request);
          if (own.length > 0) await this.queue.notify(name, own);
        }),
      );
    } catch (error) {
      for (const [consumer, ids] of byConsumer(jobs)) {
        for (const id of ids) this.progress.failed(consumer, id);
      }
      await this.deliveries.notNotified(jobs);
      throw error;
    }
  }

  /**
   * Notifies the queue again of jobs that it lost or was never notified of, and of all that stay pending for long: the
   * queue may have lost or given up some of them only.
   */
  private async redeliver(): Promise<void> {
    if (Date.now() < this.nextLook) return;
    this.nextLook = Date.now() + this.options.pollMs / 2;
    const oldest = await this.deliveries.oldestNotifications();
    const now = Date.now();
    const { lostMs, redeliverMs } = this.options;
    const suspects = this.consumers.filter(({ name }) => (oldest.get(name) ?? Infinity) <= now - lostMs);
    if (suspects.length === 0) return;
    const stats = await this.queue.stats();
    for (const { name } of suspects) {
      const its = stats[name];
      const lost =
        its === undefined || its.waiting + its.active + its.delayed + its.failed + its.stalled === 0;
      await this.redeliverTo(name, {
        // The process that published them may have died before it notified the queue.
        createdBefore: now - lostMs,
        notifiedBefore: now - (lost ? lostMs : redeliverMs),
      });
    }
  }

  private async redeliverTo(
    consumer: string,
    which: Parameters<PendingDeliveries['takeUnnotified']>[1],
  ): Promise<void> {
    for (;;) {
      const jobs = await this.deliveries.takeUnnotified(consumer, which, REDELIVER_AT_ONCE);
      await this.expectPending(jobs);
      await this.notifyConsumers(jobs);
      if (jobs.length > 0) this.logger.log(`${consumer}: redelivered ${jobs.length} jobs`);
      if (jobs.length < REDELIVER_AT_ONCE || !this.started) return;
    }
  }

  /**
   * One sequencer at a time. SQLite has one writer anyway. Where rows are locked (MySQL), the first row of the log is the
   * mutex: it exists whenever there is something to publish, no writer touches it, and retention waits for the lock
   * before it deletes it, so all relays lock the same row. Under READ COMMITTED the statements after it see what the
   * previous holder committed. Retention must keep the row with the highest position, or positions would start over.
   */
  private async lock(tx: Transaction): Promise<void> {
    await tx.all(`SELECT id FROM change_log ORDER BY id LIMIT 1 ${tx.dialect.forUpdate}`);
  }
}

function unpublishedOf(change: PublishableChange, id: number): UnpublishedChange {
  const { head, aspect, changeType, sequence, before, after, time, runId, trace = null } = change;
  return {
    id,
    entityId: head.id,
    urn: head.urn,
    entityType: head.type,
    sequence,
    aspect,
    changeType,
    versionBefore: before,
    versionAfter: after,
    time,
    runId,
    trace,
  };
}
