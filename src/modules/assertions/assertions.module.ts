import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { RelationshipsModule } from '../relationships/index.js';
import { TimeseriesModule } from '../timeseries/index.js';
import { AssertionsService } from './assertions.service.js';
import { AssetHealth } from './asset-health.js';
import { ContractsService } from './contracts.service.js';

/** Checks of data and their results, contracts that are made of them, and how assets are by them. */
@Module({
  imports: [EntitiesModule, IngestModule, RelationshipsModule, TimeseriesModule],
  providers: [
    AssertionsService,
    AssetHealth,
    ContractsService,
    lazyResolvers(() => import('./assertions.resolver.js')),
    lazyResolvers(() => import('./custom-assertions.resolver.js')),
    lazyResolvers(() => import('./contracts.resolver.js')),
    lazyResolvers(() => import('./health.resolver.js')),
  ],
})
export class AssertionsModule {}
