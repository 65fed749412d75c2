import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { RelationshipsModule } from '../relationships/index.js';
import { VersionsService } from './versions.service.js';

/** Sets of entities that are versions of one another. */
@Module({
  imports: [EntitiesModule, IngestModule, RelationshipsModule],
  providers: [VersionsService, lazyResolvers(() => import('./versions.resolver.js'))],
})
export class VersionsModule {}
