import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../catalog/metrics/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { ConsumerBacklog } from './consumer-backlog.js';
import { LogFollower } from './log-follower.js';

/** Figures of what is behind the commit: the log, the consumers, the queue. Read when somebody looks. */
@Injectable()
export class BacklogMetrics implements OnModuleInit {
  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly queue: JobQueue,
    private readonly backlog: ConsumerBacklog,
    private readonly follower: LogFollower,
  ) {}

  onModuleInit(): void {
    const { meter, queue, backlog, follower } = this;
    if (meter === undefined) return;
    const labels = ['consumer'];
    const lag = shared(() => backlog.lag());
    const of = (read: (lag: Awaited<ReturnType<ConsumerBacklog['lag']>>[number]) => number) => async () =>
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
      { name: 'catalog_consumer_failing_jobs', help: 'Jobs that failed and are tried again', labels },
      of((each) => each.failing),
    );
    meter.gauge(
      { name: 'catalog_consumer_put_aside_jobs', help: 'Jobs that processes did not survive', labels },
      of((each) => each.putAside),
    );
    const unpublished = shared(() => backlog.unpublished());
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
      async () => [{ value: follower.published }],
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

/** One answer for all who ask while it is being read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
