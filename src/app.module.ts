import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { HomeLock, SqliteDatabase } from './adapters/database/index.js';
import { TableJobQueue } from './adapters/queue/table/index.js';
import { SqliteSearchIndex } from './adapters/search/sqlite/index.js';
import { Model } from './catalog/model/index.js';
import { JobQueue } from './catalog/queue/index.js';
import { RecordNamespace } from './catalog/restli/index.js';
import { SearchIndex } from './catalog/search/index.js';
import { CATALOG_SETTINGS, MODEL_DIGEST } from './catalog/settings.js';
import { Database } from './catalog/store/index.js';
import { settingsOf, type Configuration } from './config/configuration.js';
import { ConfigurationError } from './config/configuration-error.js';
import { AccessTokenRow, AuthModule } from './modules/auth/index.js';
import { DatasetsModule } from './modules/datasets/datasets.module.js';
import { AspectHistoryRow, AspectRow, EntitiesModule, EntityRow } from './modules/entities/index.js';
import { IngestModule, LogFollower } from './modules/ingest/index.js';
import { LifecycleModule } from './modules/lifecycle/lifecycle.module.js';
import { OperationsModule } from './modules/operations/operations.module.js';
import { RelationshipRow, RelationshipsModule } from './modules/relationships/index.js';
import { SearchModule } from './modules/search/search.module.js';
import { StructuredPropertiesModule } from './modules/structured-properties/structured-properties.module.js';
import { TimelineModule } from './modules/timeline/timeline.module.js';
import { TimeseriesAspectRow, TimeseriesModule } from './modules/timeseries/index.js';
import { VERSION } from './version.js';

/** TypeORM's picture of the tables; the migrations make them, a test compares the two. */
export const ROWS = [
  EntityRow,
  AspectRow,
  AspectHistoryRow,
  RelationshipRow,
  TimeseriesAspectRow,
  AccessTokenRow,
];

/** The backing services and the model, made once and shared by all modules. */
@Global()
@Module({})
class BackingModule {
  static with(configuration: Configuration): DynamicModule {
    const { home } = configuration;
    return {
      module: BackingModule,
      providers: [
        { provide: CATALOG_SETTINGS, useValue: settingsOf(configuration, VERSION) },
        { provide: RecordNamespace, useValue: new RecordNamespace(configuration.recordNamespace) },
        { provide: Model, useFactory: () => loadModel(configuration) },
        { provide: MODEL_DIGEST, useFactory: digestOf, inject: [Model] },
        { provide: HomeLock, useFactory: () => HomeLock.take(join(home, 'service.lock')) },
        {
          provide: Database,
          useFactory: () => SqliteDatabase.open(join(home, 'catalog.db'), ROWS),
          inject: [HomeLock],
        },
        {
          provide: JobQueue,
          useFactory: (database: Database) => new TableJobQueue(database, { reclaimAtStart: true }),
          inject: [Database],
        },
        {
          provide: SearchIndex,
          useFactory: () => new SqliteSearchIndex(join(home, 'search.db')),
          inject: [HomeLock],
        },
      ],
      exports: [
        CATALOG_SETTINGS,
        RecordNamespace,
        Model,
        MODEL_DIGEST,
        HomeLock,
        Database,
        JobQueue,
        SearchIndex,
      ],
    };
  }
}

/** The composition root: binds the ports to their adapters and lists the modules. */
@Module({})
export class AppModule implements OnApplicationShutdown {
  constructor(
    private readonly follower: LogFollower,
    private readonly queue: JobQueue,
    private readonly index: SearchIndex,
    private readonly database: Database,
    private readonly lock: HomeLock,
  ) {}

  /** @throws ConfigurationError for a backing service that this build has no adapter for. */
  static with(configuration: Configuration): DynamicModule {
    refuseMissingAdapters(configuration);
    mkdirSync(configuration.home, { recursive: true, mode: 0o700 });
    const { auth, home, role, adminToken } = configuration;
    return {
      module: AppModule,
      imports: [
        BackingModule.with(configuration),
        AuthModule.forRoot({ auth, home, role, adminToken }),
        OperationsModule,
        IngestModule,
        EntitiesModule,
        RelationshipsModule,
        TimeseriesModule,
        SearchModule,
        LifecycleModule,
        TimelineModule,
        DatasetsModule,
        StructuredPropertiesModule,
      ],
    };
  }

  /** Closes what is under way first, and last what it stands on. */
  async onApplicationShutdown(): Promise<void> {
    await this.follower.stop();
    await this.queue.close();
    await this.index.close();
    await this.database.close();
    this.lock.release();
  }
}

function loadModel({ models, unknownFields }: Configuration): Model {
  return Model.load({ unknownFields, ...(models === undefined ? {} : { userFolder: models }) });
}

function digestOf(model: Model): string {
  return createHash('sha256')
    .update(JSON.stringify([...model.definitions]))
    .digest('hex')
    .slice(0, 12);
}

function refuseMissingAdapters({ databaseUrl, redisUrl, searchUrl }: Configuration): void {
  const given = {
    CATALOG_DATABASE_URL: databaseUrl,
    CATALOG_REDIS_URL: redisUrl,
    CATALOG_SEARCH_URL: searchUrl,
  };
  const faults = Object.entries(given)
    .filter(([, url]) => url !== undefined)
    .map(([name]) => `${name} is set, but this version runs embedded only; leave it out`);
  if (faults.length > 0) throw new ConfigurationError(faults);
}
