import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { TreesModule } from '../trees/index.js';
import { FolderCountsService } from './folder-counts.service.js';
import { RelatedTermsService } from './related-terms.service.js';

/** The business glossary: terms and where they are attached, and the folders they lie in. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule, TreesModule],
  providers: [
    RelatedTermsService,
    FolderCountsService,
    lazyResolvers(() => import('./glossary.resolver.js')),
    lazyResolvers(() => import('./term-associations.resolver.js')),
    lazyResolvers(() => import('./node-children.resolver.js')),
  ],
})
export class GlossaryModule {}
