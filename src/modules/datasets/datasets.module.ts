import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnershipModule } from '../ownership/index.js';
import { SearchModule } from '../search/index.js';
import { DatasetColumns } from './dataset-columns.js';
import { DatasetUpdatesService } from './dataset-updates.service.js';
import { DescriptionsService } from './descriptions.service.js';
import { LinksService } from './links.service.js';
import { QueriesService } from './queries.service.js';
import { SchemaColumnsPolicy } from './schema-columns.policy.js';

/** Datasets: their aspects (`models/`), the rules of their columns, and what people write about them. */
@Module({
  imports: [EntitiesModule, IngestModule, OwnershipModule, SearchModule],
  providers: [
    DatasetColumns,
    SchemaColumnsPolicy,
    DescriptionsService,
    DatasetUpdatesService,
    LinksService,
    QueriesService,
    lazyResolvers(() => import('./datasets.resolver.js')),
    lazyResolvers(() => import('./last-ingested.resolver.js')),
    lazyResolvers(() => import('./links.resolver.js')),
    lazyResolvers(() => import('./queries.resolver.js')),
    lazyResolvers(() => import('./siblings-search.resolver.js')),
    lazyResolvers(() => import('./asset-updates.resolver.js')),
  ],
})
export class DatasetsModule {}
