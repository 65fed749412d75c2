import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
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
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly receipts: WriteReceiptRepository,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => void (this.running = this.sweep(Date.now())), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async sweep(now: number): Promise<void> {
    try {
      await this.keys.sweep(now);
      await this.receipts.sweep(now - RECEIPT_LIFE_MS);
    } catch (error) {
      this.logger.warn(`old keys and receipts could not be removed: ${String(error)}`);
    }
  }
}
