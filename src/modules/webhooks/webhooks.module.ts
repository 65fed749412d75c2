import { Module } from '@nestjs/common';
import { ChangeLogModule } from '../change-log/index.js';
import { EventsModule } from '../events/index.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookActions } from './webhook.actions.js';
import { WebhookFeedHold } from './webhook.feed-hold.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhookService } from './webhook.service.js';

/** Delivers events of the change feed to other services. Needs the global provider Database. */
@Module({
  imports: [ChangeLogModule, EventsModule],
  providers: [
    WebhookRepository,
    WebhookService,
    WebhookActions,
    WebhookFeedHold,
    WebhookDelivery,
    WebhookMetrics,
  ],
})
export class WebhooksModule {}
