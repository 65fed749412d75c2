import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { IngestionSourcesService } from './ingestion-sources.service.js';

/** Ingestion sources and their runs. */
@Module({
  imports: [IngestModule, SearchModule],
  providers: [IngestionSourcesService, lazyResolvers(() => import('./ingestion-sources.resolver.js'))],
})
export class IngestionSourcesModule {}
