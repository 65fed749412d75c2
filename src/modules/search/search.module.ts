import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Model } from '../../catalog/model/index.js';
import { IndexBarrier, SearchSchema } from '../../catalog/search/index.js';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { PagingModule } from '../paging/index.js';
import { ConsumerIndexBarrier } from './maintenance/consumer-index-barrier.js';
import { DanglingReferences } from './maintenance/dangling-references.js';
import { DefaultBrowsePath } from './default-browse-path.js';
import { FieldResolution } from './field-resolution.js';
import { IndexCatchUp } from './maintenance/index-catch-up.service.js';
import { IndexOperations } from './maintenance/index-operations.js';
import { IndexPast } from './maintenance/index-past.service.js';
import { IndexPreparation } from './maintenance/index-preparation.service.js';
import { RebuildService } from './maintenance/rebuild.service.js';
import { RestoreService } from './maintenance/restore.service.js';
import { SearchActions } from './search-actions.js';
import { SearchIndexer } from './maintenance/search-indexer.consumer.js';
import { SearchService } from './search.service.js';
import { StorePast } from './maintenance/store-past.repository.js';
import { SystemUpdateProcessor } from './maintenance/system-update.processor.js';
import { SystemUpdateRepository } from './maintenance/system-update.repository.js';
import { SystemUpdateService } from './maintenance/system-update.service.js';
import { VerifyService } from './maintenance/verify.service.js';

/** Search, and what keeps the index up to date. Needs the global providers Model, SearchIndex and the settings. */
@Module({
  imports: [DiscoveryModule, EntitiesModule, IngestModule, PagingModule],
  providers: [
    {
      provide: SearchSchema,
      useFactory: (model: Model) => new SearchSchema(model.entities.values()),
      inject: [Model],
    },
    { provide: IndexBarrier, useClass: ConsumerIndexBarrier },
    DefaultBrowsePath,
    FieldResolution,
    SearchService,
    SearchActions,
    SearchIndexer,
    DanglingReferences,
    StorePast,
    IndexPast,
    IndexCatchUp,
    VerifyService,
    RestoreService,
    RebuildService,
    IndexPreparation,
    SystemUpdateRepository,
    SystemUpdateService,
    SystemUpdateProcessor,
    IndexOperations,
    lazyResolvers(() => import('./search.resolver.js')),
    lazyResolvers(() => import('./autocomplete.resolver.js')),
    lazyResolvers(() => import('./browse.resolver.js')),
    lazyResolvers(() => import('./home.resolver.js')),
    lazyResolvers(() => import('./global-settings.resolver.js')),
    lazyResolvers(() => import('./container-members.resolver.js')),
    lazyResolvers(() => import('./related-documents.resolver.js')),
  ],
  exports: [SearchService, SearchSchema, IndexBarrier, VerifyService, RestoreService],
})
export class SearchModule {}
