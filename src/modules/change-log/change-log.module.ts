import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';
import { Database } from '../../catalog/store/index.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeFeedRepository } from './change-feed.repository.js';
import { FeedTail } from './feed-tail.js';
import { ChangeLogRetention } from './change-log-retention.js';
import { ChangeLogSupervisor } from './change-log-supervisor.js';
import { ConsumersHealth } from './consumers.health.js';
import { ConsumerBarrier } from './consumer-barrier.js';
import { ConsumerProgress } from './consumer-progress.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { JobActions } from './job.actions.js';
import { PendingDeliveries } from './pending-deliveries.js';

/**
 * What happens after a commit: the outbox relay gives changes their positions and enters pending deliveries, runners
 * deliver them to consumers, a barrier lets readers wait for their own writes, and retention removes old rows.
 * Needs the global providers Database and JobQueue.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    BackgroundThrottle,
    ConsumerProgress,
    ConsumerBarrier,
    {
      provide: PendingDeliveries,
      useFactory: (database: Database) => new PendingDeliveries(database),
      inject: [Database],
    },
    ChangeFeedRepository,
    ChangeFeed,
    FeedTail,
    ChangeLogSupervisor,
    ChangeLogRetention,
    DeliveryMetrics,
    ConsumersHealth,
    JobActions,
  ],
  exports: [
    BackgroundThrottle,
    ChangeFeed,
    FeedTail,
    ConsumerBarrier,
    ConsumerProgress,
    PendingDeliveries,
    ChangeLogSupervisor,
    ChangeLogRetention,
  ],
})
export class ChangeLogModule {}
