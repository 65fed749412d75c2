import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { IncidentsService } from './incidents.service.js';

/** Problems on assets. */
@Module({
  imports: [IngestModule],
  providers: [IncidentsService, lazyResolvers(() => import('./incidents.resolver.js'))],
})
export class IncidentsModule {}
