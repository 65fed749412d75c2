import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../catalog/metrics/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { ChangeLogSupervisor } from './change-log-supervisor.js';

/** Metrics of the change log, its consumers and the queue, computed when they are scraped. */
@Injectable()
export class DeliveryMetrics implements OnModuleInit {
  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly queue: JobQueue,
    private readonly deliveries: PendingDeliveries,
    private readonly supervisor: ChangeLogSupervisor,
  ) {}

  onModuleInit(): void {
    const { meter, queue, deliveries, supervisor } = this;
    if (meter === undefined) return;
    const labels = ['consumer'];
    const lag = shared(() => deliveries.lag());
    const of = (read: (lag: Awaited<ReturnType<PendingDeliveries['lag']>>[number]) => number) => async () =>
      (await lag()).map((each) => ({ value: read(each), labels: { consumer: each.consumer } }));
    meter.gauge(
      { name: 'catalog_consumer_lag_changes', help: 'Changes published and not consumed', labels },
      of((each) => each.changes),
    );
    meter.gauge(
      { name: 'catalog_consumer_lag_seconds', help: 'Age of the oldest change not consumed', labels },
      of((each) => each.seconds),
    );
    meter.gauge(
      { name: 'catalog_consumer_failing_jobs', help: 'Jobs that failed and are retried', labels },
      of((each) => each.failing),
    );
    meter.gauge(
      {
        name: 'catalog_consumer_put_aside_jobs',
        help: 'Jobs suspended because processes died of them',
        labels,
      },
      of((each) => each.putAside),
    );
    const unpublished = shared(() => deliveries.unpublished());
    meter.gauge(
      { name: 'catalog_log_unpublished_changes', help: 'Changes committed and not published' },
      async () => [{ value: (await unpublished()).changes }],
    );
    meter.gauge(
      { name: 'catalog_log_unpublished_seconds', help: 'Age of the oldest change not published' },
      async () => [{ value: (await unpublished()).seconds }],
    );
    meter.gauge(
      { name: 'catalog_relay_published_changes', help: 'Changes that this process has published' },
      async () => [{ value: supervisor.published }],
    );
    meter.gauge(
      { name: 'catalog_queue_jobs', help: 'Jobs of the queue, by state', labels: ['queue', 'state'] },
      async () =>
        Object.entries(await queue.stats()).flatMap(([name, states]) =>
          Object.entries(states).map(([state, value]) => ({
            value: Number(value),
            labels: { queue: name, state },
          })),
        ),
    );
  }
}

/** One query for all callers that ask while it runs. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
