import { Module, type DynamicModule } from '@nestjs/common';
import { TableJobQueue, TableQueueModule } from '../adapters/queue/table/index.js';
import type { Tracing } from '../catalog/tracing/index.js';
import type { Configuration } from '../config/configuration.js';
import { StartError } from '../config/start-error.js';
import type { Disposables } from './disposables.js';
import { tracedJobQueue } from './traced-ports.js';

/** The queues of the consumers of the change log, by their names, and those of the `@Processor` classes. */
const QUEUES = [
  ...['search-index', 'structured-properties', 'reference-cleanup'],
  ...['property-removal', 'system-update'],
];

/** How often a process looks for jobs that another put into the table. */
const SHARED_TABLE_LOOK_MS = 200;

/** The queue of this configuration: Bull on Redis (loaded only then), or a table of the global `Database`. */
@Module({})
export class JobQueueModule {
  static async with(
    { redisUrl, queuePrefix, databaseUrl }: Configuration,
    parts: Disposables,
    tracing: Tracing,
  ): Promise<DynamicModule> {
    if (redisUrl === undefined) return tableQueue(databaseUrl === undefined, parts, tracing);
    const { BullJobQueue, BullQueueModule } = await import('../adapters/queue/bull/index.js');
    const taken = (): Error =>
      new StartError(
        `CATALOG_QUEUE_PREFIX: a catalog on another database has its queues under "${queuePrefix}" on this Redis, and each would ` +
          'take the jobs of the other. Give each catalog a CATALOG_QUEUE_PREFIX of its own',
      );
    const queue = tracedJobQueue(
      new BullJobQueue({ redisUrl: redisUrl.href, prefix: queuePrefix, taken }),
      tracing,
    );
    const onRedis = BullQueueModule.with(await parts.note('queue', queue, () => queue.close()), QUEUES);
    return { module: JobQueueModule, imports: [onRedis], exports: [BullQueueModule] };
  }
}

/** @param alone whether no other process uses the database: then it takes back at once what it held when it died */
function tableQueue(alone: boolean, parts: Disposables, tracing: Tracing): DynamicModule {
  const options = alone ? { reclaimAtStart: true } : { pollMs: SHARED_TABLE_LOOK_MS };
  const table = TableQueueModule.with((database) =>
    parts.note('queue', tracedJobQueue(new TableJobQueue(database, options), tracing), (queue) =>
      queue.close(),
    ),
  );
  return { module: JobQueueModule, imports: [table], exports: [TableQueueModule] };
}
