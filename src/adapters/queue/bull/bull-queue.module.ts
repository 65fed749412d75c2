import { BullModule, getQueueToken } from '@nestjs/bull';
import { Module, type DynamicModule } from '@nestjs/common';
import type Bull from 'bull';
import { JobQueue } from '../../../catalog/queue/index.js';
import { Database } from '../../../catalog/store/index.js';
import type { BullJobQueue } from './bull-job-queue.js';
import type { StoredJob } from './bull-jobs.js';

/**
 * The queues of the catalog as Nest knows them: each can be injected by its name (`@InjectQueue('search-index')`),
 * and all of them are one {@link JobQueue}.
 */
@Module({})
export class BullQueueModule {
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
          useFactory: (database: Database, ...opened: Array<Bull.Queue<StoredJob>>) => {
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
}
