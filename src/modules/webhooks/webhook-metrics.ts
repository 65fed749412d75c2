import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../catalog/metrics/index.js';
import { ChangeFeed } from '../change-log/index.js';
import type { WebhookRow } from './entities/webhook.row.js';
import { WebhookRepository } from './webhook.repository.js';

/** Metrics of webhooks, computed when they are scraped. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly repository: WebhookRepository,
    private readonly feed: ChangeFeed,
  ) {}

  onModuleInit(): void {
    this.gauge('catalog_webhook_lag_changes', 'Changes that a webhook was not given yet', (row, newest) =>
      Math.max(0, newest - row.position),
    );
    this.gauge('catalog_webhook_delivered_events', 'Events delivered to a webhook', (row) => row.delivered);
    this.gauge(
      'catalog_webhook_failed_attempts',
      'Failed attempts of the batch that a webhook is tried with',
      (row) => row.attempts,
    );
    this.gauge('catalog_webhook_paused', '1 while a webhook is paused', (row) =>
      row.state === 'PAUSED' ? 1 : 0,
    );
  }

  private gauge(name: string, help: string, read: (row: WebhookRow, newest: number) => number): void {
    this.meter?.gauge({ name, help, labels: ['webhook'] }, async () => {
      const newest = await this.feed.newest();
      const rows = await this.repository.all();
      return rows.map((row) => ({ value: read(row, newest), labels: { webhook: row.name } }));
    });
  }
}
