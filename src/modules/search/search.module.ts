import { Inject, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Model } from '../../catalog/model/index.js';
import { IndexBarrier, SearchIndex, SearchSchema } from '../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { ConsumerIndexBarrier } from './consumer-index-barrier.js';
import { IndexAspectActions, IndexOperations } from './index-operations.js';
import { OperationsController } from './operations.controller.js';
import { RestoreService } from './restore.service.js';
import { SearchActions } from './search-actions.js';
import { SearchIndexer } from './search-indexer.consumer.js';
import { SearchService } from './search.service.js';
import { StoredVersions } from './stored-versions.repository.js';
import { VerifyService } from './verify.service.js';

/** Search, and what keeps the index up to date. Needs the global providers Model, SearchIndex and the settings. */
@Module({
  imports: [DiscoveryModule, EntitiesModule, IngestModule],
  controllers: [OperationsController],
  providers: [
    {
      provide: SearchSchema,
      useFactory: (model: Model) => new SearchSchema(model.entities.values()),
      inject: [Model],
    },
    { provide: IndexBarrier, useClass: ConsumerIndexBarrier },
    SearchService,
    SearchActions,
    SearchIndexer,
    StoredVersions,
    VerifyService,
    RestoreService,
    IndexOperations,
    IndexAspectActions,
    lazyResolvers(() => import('./search.resolver.js')),
    lazyResolvers(() => import('./browse.resolver.js')),
  ],
  exports: [SearchService, SearchSchema, IndexBarrier, SearchIndexer, VerifyService, RestoreService],
})
export class SearchModule implements OnModuleInit {
  private readonly logger = new Logger(SearchModule.name);

  constructor(
    private readonly index: SearchIndex,
    private readonly schema: SearchSchema,
    private readonly indexer: SearchIndexer,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  /** The index is complete before the first request comes: writes from now on reach it through the log. */
  async onModuleInit(): Promise<void> {
    const rebuild = await this.index.ensureSchema(this.schema);
    if (!rebuild || this.settings.role === 'api') return;
    const count = await this.indexer.rebuild();
    await rebuild.finished();
    if (count > 0) this.logger.log(`search index rebuilt: ${count} entities`);
  }
}
