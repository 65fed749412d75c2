import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter, type Note } from '../../catalog/metrics/index.js';
import { ChangeFeed, ChangeLogRetention } from '../change-log/index.js';
import type { WebhookRow } from './entities/webhook.row.js';
import { WebhookRepository } from './webhook.repository.js';

/** Metrics of webhooks, computed when they are scraped. */
@Injectable()
export class WebhookMetrics implements OnModuleInit {
  private readonly failures: Note | undefined;

  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly repository: WebhookRepository,
    private readonly feed: ChangeFeed,
    private readonly retention: ChangeLogRetention,
  ) {
    this.failures = meter?.counter({
      name: 'catalog_webhook_failures_total',
      help: 'Attempts of this process to deliver to a webhook that failed',
      labels: ['webhook'],
    });
  }

  /** Counts an attempt that failed. */
  failed(webhook: string): void {
    this.failures?.(1, { webhook });
  }

  onModuleInit(): void {
    this.gauge('catalog_webhook_lag_changes', 'Changes that a webhook was not given yet', (row, newest) =>
      Math.max(0, newest - row.position),
    );
    this.gauge(
      'catalog_webhook_unread_seconds',
      'Age of the oldest change that a webhook was not given; it is lost after catalog_feed_hold_limit_seconds',
      (row) => this.retention.unreadSeconds(row.position),
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

  private gauge(
    name: string,
    help: string,
    read: (row: WebhookRow, newest: number) => number | Promise<number>,
  ): void {
    this.meter?.gauge({ name, help, labels: ['webhook'] }, async () => {
      const newest = await this.feed.newest();
      const rows = await this.repository.all();
      return Promise.all(
        rows.map(async (row) => ({ value: await read(row, newest), labels: { webhook: row.name } })),
      );
    });
  }
}
