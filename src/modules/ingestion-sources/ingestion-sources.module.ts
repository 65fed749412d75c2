import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { SearchModule } from '../search/index.js';

/** Ingestion sources and their runs, in GraphQL. */
@Module({
  imports: [SearchModule],
  providers: [lazyResolvers(() => import('./ingestion-sources.resolver.js'))],
})
export class IngestionSourcesModule {}
