import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { TimeseriesActions } from './timeseries.actions.js';
import { TimeseriesRepository } from './timeseries.repository.js';
import { TimeseriesService } from './timeseries.service.js';

/** Needs the global providers Database and Model. */
@Module({
  imports: [EntitiesModule],
  providers: [
    TimeseriesRepository,
    TimeseriesService,
    TimeseriesActions,
    lazyResolvers(() => import('./timeseries.resolver.js')),
  ],
  exports: [TimeseriesService],
})
export class TimeseriesModule {}
