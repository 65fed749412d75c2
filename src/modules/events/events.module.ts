import { Module } from '@nestjs/common';
import { ChangeLogModule } from '../change-log/index.js';
import { EntitiesModule } from '../entities/index.js';
import { FeedConsumerActions } from './consumers/feed-consumer.actions.js';
import { FeedConsumerHold } from './consumers/feed-consumer.feed-hold.js';
import { FeedConsumerRepository } from './consumers/feed-consumer.repository.js';
import { FeedConsumers } from './consumers/feed-consumer.service.js';
import { EventFilters } from './event-filters.js';
import { EventMetrics } from './event-metrics.js';
import { EventReaders } from './event-readers.js';
import { EventSubscriptions } from './event-subscriptions.service.js';
import { EventsController } from './events.controller.js';
import { FeedPages } from './feed-pages.js';
import { FeedEventsService } from './feed-events.service.js';
import { FeedRuns } from './feed-runs.js';
import { FeedPrinter } from './feed-printer.js';
import { PollQuickRead } from './poll.quick-read.js';

/** The change feed for other services. Needs the global provider Model. */
@Module({
  imports: [ChangeLogModule, EntitiesModule],
  controllers: [EventsController],
  providers: [
    FeedConsumerRepository,
    FeedConsumers,
    FeedConsumerHold,
    FeedConsumerActions,
    EventReaders,
    EventFilters,
    FeedEventsService,
    FeedPrinter,
    FeedPages,
    FeedRuns,
    EventSubscriptions,
    PollQuickRead,
    EventMetrics,
  ],
  exports: [EventFilters, FeedEventsService],
})
export class EventsModule {}
