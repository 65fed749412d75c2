import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { RelationshipsModule } from '../relationships/index.js';
import { TimeseriesModule } from '../timeseries/index.js';
import { AssertionsService } from './assertions.service.js';

/** Checks of data and their results. */
@Module({
  imports: [EntitiesModule, IngestModule, RelationshipsModule, TimeseriesModule],
  providers: [
    AssertionsService,
    lazyResolvers(() => import('./assertions.resolver.js')),
    lazyResolvers(() => import('./custom-assertions.resolver.js')),
  ],
})
export class AssertionsModule {}
