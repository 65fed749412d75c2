import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { RelationshipsModule } from '../relationships/index.js';
import { SearchModule } from '../search/index.js';
import { DataProductsService } from './data-products.service.js';

/** Data products, and what belongs to them. */
@Module({
  imports: [EntitiesModule, IngestModule, RelationshipsModule, SearchModule],
  providers: [
    DataProductsService,
    lazyResolvers(() => import('./data-products.resolver.js')),
    lazyResolvers(() => import('./product-lists.resolver.js')),
    lazyResolvers(() => import('./product-members.resolver.js')),
  ],
})
export class DataProductsModule {}
