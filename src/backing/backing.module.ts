import { join } from 'node:path';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { JobRow } from '../adapters/queue/job.row.js';
import { DataFolderLock, type RowClass } from '../adapters/database/index.js';
import { Meter } from '../catalog/metrics/index.js';
import { JobQueue } from '../catalog/queue/index.js';
import { HEALTH_PARTS } from '../modules/operations/index.js';
import { Model, modelDigest } from '../catalog/model/index.js';
import { RATE_COUNTS, type RateCounts } from '../catalog/schedule/index.js';
import { RecordNamespace } from '../catalog/restli/index.js';
import { SearchIndex } from '../catalog/search/index.js';
import { CATALOG_SETTINGS, MODEL_DIGEST } from '../catalog/settings.js';
import { Checkpoints, Database } from '../catalog/store/index.js';
import { Tracing } from '../catalog/tracing/index.js';
import { settingsOf, type Configuration } from '../config/configuration.js';
import { VERSION } from '../version.js';
import { CheckpointThread } from './checkpoint-thread.js';
import { withStartErrors } from './start-errors.js';
import { holdIndex, IndexBinding } from './index-binding.js';
import { IndexHolderRow } from './index-holder.row.js';
import { JobQueueModule } from './job-queue.module.js';
import { loadModel } from './load-model.js';
import { healthParts } from './health-parts.js';
import { meteredSearchIndex } from './metered-search-index.js';
import { openDatabase } from './open-database.js';
import { Disposables } from './disposables.js';
import { refuseEmpty } from './refuse-empty.js';
import { openSearchIndex } from './open-search-index.js';
import { tracedDatabase, tracedSearchIndex } from './traced-ports.js';

/** Tables of the adapters and of this folder. */
export const BACKING_ROWS: readonly RowClass[] = [JobRow, IndexHolderRow];

/** What modules may have injected of it. */
const SHARED = [
  CATALOG_SETTINGS,
  RecordNamespace,
  Model,
  MODEL_DIGEST,
  Disposables,
  Tracing,
  Database,
  Checkpoints,
  IndexBinding,
  JobQueueModule,
  Meter,
  SearchIndex,
  HEALTH_PARTS,
  RATE_COUNTS,
];

/** The backing services and the model, made once and shared by all modules. */
@Global()
@Module({})
export class BackingModule {
  /**
   * @param rows TypeORM row classes of the modules
   * @param parts where everything that is opened is noted
   */
  static with(
    configuration: Configuration,
    rows: readonly RowClass[],
    parts: Disposables,
    tracing: Tracing,
  ): DynamicModule {
    // A model that does not compile stops the start before anything is opened.
    const model = loadModel(configuration);
    return {
      module: BackingModule,
      imports: [JobQueueModule.with(configuration, parts, tracing)],
      providers: [
        { provide: CATALOG_SETTINGS, useValue: settingsOf(configuration, VERSION) },
        { provide: RecordNamespace, useValue: new RecordNamespace(configuration.recordNamespace) },
        { provide: Model, useValue: model },
        { provide: MODEL_DIGEST, useValue: modelDigest(model) },
        { provide: Disposables, useValue: parts },
        { provide: Tracing, useValue: tracing },
        {
          provide: DataFolderLock,
          useFactory: async () => parts.note('lock', await lockHome(configuration), (lock) => lock.release()),
        },
        { provide: Checkpoints, useFactory: () => new CheckpointThread() },
        {
          provide: Database,
          useFactory: async (_lock: DataFolderLock, checkpoints: Checkpoints) => {
            const database = await openDatabase(configuration, [...BACKING_ROWS, ...rows], checkpoints);
            return parts.note('database', tracedDatabase(database, tracing), (one) => one.close());
          },
          inject: [DataFolderLock, Checkpoints],
        },
        {
          provide: IndexBinding,
          useFactory: async (_lock: DataFolderLock, database: Database) =>
            parts.note('holder', await holdIndex(configuration, database), (holder) => holder.release()),
          inject: [DataFolderLock, Database],
        },
        { provide: Meter, useFactory: openMeter },
        { provide: RATE_COUNTS, useFactory: () => openRateCounts(configuration, parts) },
        {
          provide: SearchIndex,
          useFactory: async (_holder: IndexBinding, meter: Meter, database: Database) => {
            const index = await openSearchIndex(configuration, meter);
            await parts.note('index', tracedSearchIndex(meteredSearchIndex(index, meter), tracing), () =>
              index.close(),
            );
            await refuseEmpty(configuration, database, index);
            return index;
          },
          inject: [IndexBinding, Meter, Database],
        },
        {
          provide: HEALTH_PARTS,
          useFactory: healthParts,
          inject: [JobQueue, SearchIndex, IndexBinding],
        },
      ],
      exports: [...SHARED],
    };
  }
}

async function openMeter(): Promise<Meter> {
  const { PrometheusMeter } = await import('../adapters/metrics/index.js');
  const meter = new PrometheusMeter();
  const labels = { version: VERSION, node: process.version };
  meter.gauge(
    {
      name: 'catalog_build_info',
      help: 'Version of the service and of Node; always 1',
      labels: Object.keys(labels),
    },
    async () => [{ value: 1, labels }],
  );
  return meter;
}

/** Processes count the requests of a caller together where they share a Redis. */
async function openRateCounts(
  { rateLimit, redisUrl, queuePrefix, role }: Configuration,
  parts: Disposables,
): Promise<RateCounts | undefined> {
  if (rateLimit === undefined || redisUrl === undefined || role === 'worker') return undefined;
  const { RedisRateCounts } = await import('../adapters/rate-limit/index.js');
  const counts = new RedisRateCounts(redisUrl.href, `${queuePrefix}:rate:`);
  return parts.note('counts', counts, () => counts.close());
}

/** The folder belongs to one process when a database or an index lies in it. */
async function lockHome({ home, databaseUrl, searchUrl }: Configuration): Promise<DataFolderLock> {
  if (databaseUrl !== undefined && searchUrl !== undefined) return DataFolderLock.none();
  const file = join(home, 'service.lock');
  return withStartErrors(file, () => DataFolderLock.take(file));
}
