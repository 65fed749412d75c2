import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicJob } from '../../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const EVERY_MS = 15 * 60_000;

/** Deletes idempotency keys whose time is over. */
@Injectable()
export class KeyRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyRetention.name);
  private readonly job = new PeriodicJob(
    () => this.keys.sweep(Date.now()),
    (error) => this.logger.warn(`old idempotency keys could not be removed: ${String(error)}`),
  );

  constructor(
    private readonly keys: IdempotencyRepository,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api') this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }
}
