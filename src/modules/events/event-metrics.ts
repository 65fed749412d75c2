import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../catalog/metrics/index.js';
import { ChangeFeed } from '../change-log/index.js';
import { FeedConsumerRepository } from './consumers/feed-consumer.repository.js';
import { EventReaders } from './event-readers.js';

/** Metrics of the change feed, computed when they are scraped. */
@Injectable()
export class EventMetrics implements OnModuleInit {
  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly readers: EventReaders,
    private readonly feed: ChangeFeed,
    private readonly consumers: FeedConsumerRepository,
  ) {}

  onModuleInit(): void {
    const { meter, readers, feed, consumers } = this;
    meter?.gauge(
      { name: 'catalog_feed_readers', help: 'Requests of this process that follow the change feed' },
      async () => [{ value: readers.count }],
    );
    meter?.gauge(
      {
        name: 'catalog_feed_lag_changes',
        help: 'Changes that the slowest stream of this process has not read',
      },
      async () => {
        const newest = await feed.newest();
        return [{ value: Math.max(0, ...readers.positions.map((at) => newest - at)) }];
      },
    );
    meter?.gauge(
      {
        name: 'catalog_feed_consumer_lag_changes',
        help: 'Changes that a registered consumer of the change feed has not confirmed',
        labels: ['consumer'],
      },
      async () => {
        const newest = await feed.newest();
        return (await consumers.all()).map(({ name, position }) => ({
          value: Math.max(0, newest - position),
          labels: { consumer: name },
        }));
      },
    );
  }
}
