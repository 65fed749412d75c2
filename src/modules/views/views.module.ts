import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { ViewsService } from './views.service.js';

/** Saved filters over the catalog. */
@Module({
  imports: [IngestModule],
  providers: [ViewsService, lazyResolvers(() => import('./views.resolver.js'))],
})
export class ViewsModule {}
