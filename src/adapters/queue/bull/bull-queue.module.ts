import { BullModule, getQueueToken } from '@nestjs/bull';
import { Inject, Module, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import type Bull from 'bull';
import { JobQueue } from '../../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { Database } from '../../../catalog/store/index.js';
import { BullJobQueue } from './bull-job-queue.js';
import type { StoredJob } from './bull-jobs.js';

/**
 * The queues of the catalog as Nest knows them: each can be injected by its name (`@InjectQueue('search-index')`),
 * and all of them are one {@link JobQueue}. Once the application is up, its `@Processor` classes carry out their jobs.
 */
@Module({})
export class BullQueueModule implements OnApplicationBootstrap {
  /** @param queues the names known beforehand; others are opened when they are first used */
  static with(jobQueue: BullJobQueue, queues: readonly string[]): DynamicModule {
    return {
      module: BullQueueModule,
      imports: [
        BullModule.forRoot(jobQueue.bullOptions()),
        BullModule.registerQueue(...queues.map((name) => ({ name }))),
      ],
      providers: [
        {
          provide: JobQueue,
          useFactory: async (database: Database, ...opened: Array<Bull.Queue<StoredJob>>) => {
            await jobQueue.claimFor(database);
            jobQueue.countTriesIn(database);
            for (const queue of opened) jobQueue.adopt(queue);
            return jobQueue;
          },
          inject: [Database, ...queues.map((name) => getQueueToken(name))],
        },
      ],
      exports: [JobQueue],
    };
  }

  constructor(
    @Inject(JobQueue) private readonly queue: BullJobQueue,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api') this.queue.startProcessors();
  }
}
