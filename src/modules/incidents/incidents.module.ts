import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { IncidentsService } from './incidents.service.js';

/** Problems on assets. */
@Module({
  imports: [IngestModule, SearchModule],
  providers: [
    IncidentsService,
    lazyResolvers(() => import('./incidents.resolver.js')),
    lazyResolvers(() => import('./asset-incidents.resolver.js')),
  ],
})
export class IncidentsModule {}
