import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../catalog/metrics/index.js';
import { ChangeFeed, ChangeLogRetention } from '../change-log/index.js';
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
    private readonly retention: ChangeLogRetention,
  ) {}

  onModuleInit(): void {
    const { meter, readers, feed, consumers, retention } = this;
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
    meter?.gauge(
      {
        name: 'catalog_feed_consumer_unread_seconds',
        help: 'Age of the oldest change that a registered consumer has not confirmed',
        labels: ['consumer'],
      },
      async () =>
        Promise.all(
          (await consumers.all()).map(async ({ name, position }) => ({
            value: await retention.unreadSeconds(position),
            labels: { consumer: name },
          })),
        ),
    );
    meter?.gauge(
      {
        name: 'catalog_feed_hold_limit_seconds',
        help: 'Age at which the change log drops changes that registered consumers and webhooks have not read',
      },
      async () => [{ value: retention.limitMs / 1000 }],
    );
  }
}
