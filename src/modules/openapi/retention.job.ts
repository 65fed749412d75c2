import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicJob } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { WriteReceiptRepository } from './receipts/write-receipt.repository.js';

const EVERY_MS = 15 * 60_000;
/** How long the receipt of a settled write is kept. */
const RECEIPT_LIFE_MS = 7 * 86_400_000;

/** Forgets keys and receipts whose time is over. */
@Injectable()
export class RetentionJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RetentionJob.name);
  private readonly job = new PeriodicJob(
    () => this.sweep(Date.now()),
    (error) => this.logger.warn(`old keys and receipts could not be removed: ${String(error)}`),
  );

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly receipts: WriteReceiptRepository,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api') this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  async sweep(now: number): Promise<void> {
    await this.keys.sweep(now);
    await this.receipts.sweep(now - RECEIPT_LIFE_MS);
  }
}
