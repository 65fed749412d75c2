import { Module, type DynamicModule } from '@nestjs/common';
import { TableJobQueue } from '../adapters/queue/table/index.js';
import { JobQueue } from '../catalog/queue/index.js';
import { Database } from '../catalog/store/index.js';
import type { Configuration } from '../config/configuration.js';

/** One for each consumer of the change log, by its name: indexing, and what follows the end of properties and entities. */
const QUEUES = ['search-index', 'structured-properties', 'reference-cleanup'];

/** How often a process looks for jobs that another put into the table. */
const SHARED_TABLE_LOOK_MS = 200;

/** The queue of this configuration: Bull on Redis (loaded only then), or a table of the global `Database`. */
@Module({})
export class JobQueueModule {
  static async with({ redisUrl, queuePrefix, databaseUrl }: Configuration): Promise<DynamicModule> {
    if (redisUrl === undefined) return tableQueue(databaseUrl === undefined);
    const { BullQueueModule } = await import('../adapters/queue/bull/index.js');
    const onRedis = BullQueueModule.with({ redisUrl: redisUrl.href, prefix: queuePrefix }, QUEUES);
    return { module: JobQueueModule, imports: [onRedis], exports: [BullQueueModule] };
  }
}

/** @param alone whether no other process uses the database: then it takes back at once what it held when it died */
function tableQueue(alone: boolean): DynamicModule {
  const options = alone ? { reclaimAtStart: true } : { pollMs: SHARED_TABLE_LOOK_MS };
  const provider = {
    provide: JobQueue,
    useFactory: (database: Database) => new TableJobQueue(database, options),
    inject: [Database],
  };
  return { module: JobQueueModule, providers: [provider], exports: [JobQueue] };
}
