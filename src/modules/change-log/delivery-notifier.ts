import { Logger } from '@nestjs/common';
import type { ChangeLogConsumer } from '../../catalog/change/index.js';
import { byConsumer, type PendingDelivery } from '../../catalog/pending-work/index.js';
import type { JobQueue } from '../../catalog/queue/index.js';
import type { Tracing } from '../../catalog/tracing/index.js';
import type { ConsumerProgress } from './consumer-progress.js';
import type { Published } from './log-writer.js';
import type { PendingDeliveries } from './pending-deliveries.js';

/** The most jobs of a consumer that are redelivered in one statement. */
const REDELIVER_AT_ONCE = 1000;

export interface DeliveryOptions {
  /** Whether no other process relays this log: this one then reports the progress of consumers. */
  alone: boolean;
  /** Polling interval for changes of other processes and for lost jobs. */
  pollMs: number;
  /** Age at which a pending job is redelivered. */
  redeliverMs: number;
  /** The same where the queue has no job of that consumer, or may not have been notified of this one. */
  lostMs: number;
  /** Makes the notification of consumers a part of the traces of the changes. */
  tracing: Tracing;
}

/** Notifies the queue of pending deliveries, and notifies it again of those that it lost. */
export class DeliveryNotifier {
  private readonly logger = new Logger(DeliveryNotifier.name);
  private nextLook = 0;
  /** See {@link JobQueue.generation}, and when it was found changed: what the queue was told before may be lost. */
  private generation: string | undefined;
  private lostBefore = 0;

  constructor(
    private readonly deliveries: PendingDeliveries,
    private readonly queue: JobQueue,
    private readonly consumers: readonly ChangeLogConsumer[],
    private readonly progress: ConsumerProgress,
    private readonly options: DeliveryOptions,
  ) {}

  /** Readers wait for these from now on. */
  expect(jobs: readonly PendingDelivery[]): void {
    for (const job of jobs) this.progress.expect(job.consumer, job.request.id, job.firstChange);
  }

  /** What was expected of a transaction that has failed. */
  forget(jobs: readonly PendingDelivery[]): void {
    for (const [consumer, ids] of byConsumer(jobs)) this.progress.done(consumer, ids);
  }

  /** Expects jobs that were pending a moment ago: a runner may have finished some of them since. */
  async expectPending(jobs: readonly PendingDelivery[]): Promise<void> {
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

  /** Notifies as a part of the traces of the requests that made the changes. */
  notifyTraced(jobs: readonly PendingDelivery[], traces: Published['traces']): Promise<void> {
    return this.options.tracing.shared(traces, { name: 'publish changes' }, () => this.notify(jobs));
  }

  /** Notifies the queues of the consumers. @throws what the queue does; the deliveries stay pending then */
  async notify(jobs: readonly PendingDelivery[]): Promise<void> {
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
   * @param goOn asked after each batch
   */
  async redeliver(goOn: () => boolean): Promise<void> {
    if (performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + this.options.pollMs / 2;
    await this.deliveries.setBack();
    const oldest = await this.deliveries.oldestNotifications();
    const now = Date.now();
    const { lostMs, redeliverMs } = this.options;
    const suspects = this.consumers.filter(({ name }) => (oldest.get(name) ?? Infinity) <= now - lostMs);
    // At first to know what it is before.
    if (suspects.length > 0 || this.generation === undefined) await this.noticeWipe();
    if (suspects.length === 0) return;
    const stats = await this.queue.stats();
    for (const { name } of suspects) {
      const its = stats[name];
      const lost =
        its === undefined || its.waiting + its.active + its.delayed + its.failed + its.stalled === 0;
      await this.redeliverTo(name, goOn, {
        // The process that published them may have died before it notified the queue.
        createdBefore: now - lostMs,
        notifiedBefore: lost
          ? now - lostMs
          : Math.max(now - redeliverMs, Math.min(this.lostBefore, now - lostMs)),
      });
    }
  }

  /** New jobs hide that earlier ones are gone. */
  private async noticeWipe(): Promise<void> {
    const found = await this.queue.generation();
    if (this.generation !== undefined && found !== this.generation) {
      this.lostBefore = Date.now();
      this.logger.warn('the queue has lost its jobs: those that are pending are redelivered');
    }
    this.generation = found ?? this.generation;
  }

  private async redeliverTo(
    consumer: string,
    goOn: () => boolean,
    which: Parameters<PendingDeliveries['takeUnnotified']>[1],
  ): Promise<void> {
    for (;;) {
      const jobs = await this.deliveries.takeUnnotified(consumer, which, REDELIVER_AT_ONCE);
      await this.expectPending(jobs);
      await this.notify(jobs);
      if (jobs.length > 0) this.logger.log(`${consumer}: redelivered ${jobs.length} jobs`);
      if (jobs.length < REDELIVER_AT_ONCE || !goOn()) return;
    }
  }
}
