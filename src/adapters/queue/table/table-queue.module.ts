import { Inject, Module, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { handlerOf, JobQueue } from '../../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { Database } from '../../../catalog/store/index.js';
import type { TableJobQueue } from './table-job-queue.js';

/** The queue in a table of the database. Once the application is up, its `@Processor` classes carry out their jobs. */
@Module({})
export class TableQueueModule implements OnApplicationBootstrap {
  static with(open: (database: Database) => Promise<TableJobQueue>): DynamicModule {
    return {
      module: TableQueueModule,
      imports: [DiscoveryModule],
      providers: [{ provide: JobQueue, useFactory: open, inject: [Database] }],
      exports: [JobQueue],
    };
  }

  constructor(
    @Inject(JobQueue) private readonly queue: JobQueue,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    for (const { instance } of this.discovery.getProviders()) {
      const found = handlerOf(instance);
      if (found) this.queue.process(found.queue, { batch: 1 }, ([job]) => found.handler(job!));
    }
  }
}
