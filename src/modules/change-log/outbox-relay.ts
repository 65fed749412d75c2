import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer, ChangeLogHeading } from '../../catalog/change/index.js';
import { LoggedError } from '../../catalog/errors/index.js';
import type { PendingDelivery } from '../../catalog/pending-work/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import type { Database, Transaction } from '../../catalog/store/index.js';
import { NO_TRACING } from '../../catalog/tracing/index.js';
import { changeJobs, refuseSharedNames } from './change-job.js';
import { DeliveryNotifier, type DeliveryOptions } from './delivery-notifier.js';
import type { PendingDeliveries } from './pending-deliveries.js';
import { BURST_CHANGES, type ConsumerProgress } from './consumer-progress.js';
import {
  AdaptiveBatch,
  BackgroundThrottle,
  eachInSteps,
  outsideRequests,
  TimeSlices,
} from '../../catalog/schedule/index.js';
import { headingOf, type FeedHeading } from './change-feed.repository.js';
import type { PublishableChange, Published } from './log-writer.js';
import {
  assignPositions,
  endOfLog,
  lockLog,
  unpublishedChanges,
  unpublishedOf,
  type UnpublishedChange,
} from './unpublished-changes.js';

/** How long the relay yields to writers: it then publishes the changes of many commits at once. */
const YIELD_MS = 200;

/** The smallest batch, while requests wait for the thread. */
const LEAST_AT_ONCE = 100;

/** The batch while writers are far ahead: a transaction waits its turn among theirs. */
const STREAM_AT_ONCE = 4000;

/** Those of the deliveries have defaults: not alone, looked at every second, redelivered after 60 s, or 2 s when lost. */
export interface OutboxRelayOptions extends Partial<DeliveryOptions> {
  /** Lets the relay yield to requests. Default: it never yields. */
  throttle?: BackgroundThrottle;
  /** Changes published at once. Default 1000. */
  batch?: number;
  /** Changes named by one job. Default 200. */
  chunk?: number;
  /** Whether a reader waits for what was committed: the relay then yields for a moment only. Default never. */
  urgent?: () => boolean;
  /** Called when changes have got their positions, with what makes their headings, in their order. */
  published?: (entries: () => readonly FeedHeading[]) => void;
}

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
  private readonly notifier: DeliveryNotifier;
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
  private publishedCount = 0;
  /** Changes published since the end of the log was last reached. */
  private sinceEnd = 0;
  /** Pending deliveries that an earlier process published. */
  private inherited: PendingDelivery[] = [];

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    queue: JobQueue,
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
    this.notifier = new DeliveryNotifier(deliveries, queue, consumers, progress, this.options);
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
      await this.notifier.expectPending(this.inherited);
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
    const { top, waiting } = await endOfLog(tx);
    const first = await tx.reserve('change_log', changes.length);
    if (first === undefined || waiting) return undefined;
    const slices = new TimeSlices();
    const numbered: UnpublishedChange[] = [];
    const number = (change: PublishableChange, i: number): void =>
      void numbered.push(unpublishedOf(change, first + i));
    await slices.run(eachInSteps(changes, number));
    let jobs: PendingDelivery[];
    try {
      jobs = this.jobsOf(numbered);
    } catch {
      // A consumer that fails to choose shall not keep anything from being written; the relay tells of it.
      return undefined;
    }
    return this.deliver(tx, numbered, jobs, top + 1);
  }

  /** To be called after the commit of what {@link publishWith} published, before the response. */
  notifyPublished({ ids, entries, jobs, traces }: Published): void {
    const last = ids.at(-1) as number;
    this.publishedCount += ids.length;
    this.progress.committed(last);
    this.progress.published([last], last);
    this.options.published(entries);
    const notified = outsideRequests(() =>
      this.options.tracing.outside(() => this.notifier.notifyTraced(jobs, traces)),
    );
    // What the queue was not notified of is redelivered.
    notified.catch((error: unknown) => this.failed(error));
  }

  /** To be called when the transaction of what {@link publishWith} published has failed. */
  revoke({ jobs }: Published): void {
    this.notifier.forget(jobs);
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
        await this.notifier.notify(this.inherited);
        this.inherited = [];
        const before = this.publishedCount;
        more = await this.pass();
        published = more ? published + this.publishedCount - before : Infinity;
        // Also while there is always more to publish.
        await this.notifier.redeliver(() => this.started);
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
    this.sinceEnd = full ? this.sinceEnd + ids.length : 0;
    if (alone) this.progress.published(commits, full ? (ids.at(-1) as number) : Infinity);
    await this.notifier.notifyTraced(jobs, traces);
    return full;
  }

  /**
   * Whether writers are far ahead, and go on. Beside other processes their commits are not known here, but how long the relay
   * has been behind them.
   */
  private get isStream(): boolean {
    const { alone } = this.options;
    return (alone ? this.progress.unpublishedChanges : this.sinceEnd) > BURST_CHANGES;
  }

  private async publish(limit: number): Promise<Published> {
    if ((await unpublishedChanges(this.database, 1)).length === 0) return NOTHING;
    let published = NOTHING;
    // A power loss may undo this: the changes are safe and are published again.
    return this.database
      .transaction(
        async (tx) => {
          await lockLog(tx);
          const changes = await unpublishedChanges(tx, limit);
          if (changes.length === 0) return NOTHING;
          const position = await assignPositions(
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
    this.notifier.expect(jobs);
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
}
