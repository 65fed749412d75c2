import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { PagingModule } from '../paging/index.js';
import { SearchModule } from '../search/index.js';
import { EdgeWalkService } from './edge-walk.service.js';
import { LineageEditsService } from './lineage/lineage-edits.service.js';
import { LineageScroll } from './lineage/lineage-scroll.js';
import { LineageSearch } from './lineage/lineage-search.js';
import { LineageActions } from './lineage/lineage.actions.js';
import { LineageController } from './lineage/lineage.controller.js';
import { LineageService } from './lineage/lineage.service.js';
import { RelationshipNames } from './relationship-names.js';
import { RelationshipsController } from './relationships.controller.js';
import {
  LineageOpenapiController,
  RelationshipsOpenapiController,
} from './relationships.openapi.controller.js';
import { RelationshipsService } from './relationships.service.js';

/** Needs the global providers Database and Model. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule, PagingModule],
  controllers: [
    RelationshipsController,
    LineageController,
    RelationshipsOpenapiController,
    LineageOpenapiController,
  ],
  providers: [
    RelationshipNames,
    RelationshipsService,
    LineageService,
    LineageSearch,
    LineageScroll,
    LineageActions,
    LineageEditsService,
    EdgeWalkService,
    lazyResolvers(() => import('./relationships.resolver.js')),
    lazyResolvers(() => import('./lineage/lineage.resolver.js')),
    lazyResolvers(() => import('./lineage/lineage-edits.resolver.js')),
    lazyResolvers(() => import('./runs.resolver.js')),
  ],
  exports: [RelationshipsService],
})
export class RelationshipsModule {}
