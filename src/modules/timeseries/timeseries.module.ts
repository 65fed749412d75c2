import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { PagingModule } from '../paging/index.js';
import { AnalyticsActions } from './analytics.actions.js';
import { AnalyticsController } from './analytics.controller.js';
import { EventReports } from './event-reports.js';
import { EventSizes } from './event-sizes.service.js';
import { EventTruncation } from './event-truncation.service.js';
import { EventWalkService } from './event-walk.service.js';
import { TimeseriesActions } from './timeseries.actions.js';
import { TimeseriesOpenapiController } from './timeseries.openapi.controller.js';
import { TimeseriesService } from './timeseries.service.js';
import { UsageActions } from './usage.actions.js';
import { UsageController } from './usage.controller.js';

/** Needs the global providers Database and Model. */
@Module({
  imports: [EntitiesModule, IngestModule, PagingModule],
  controllers: [TimeseriesOpenapiController, UsageController, AnalyticsController],
  providers: [
    TimeseriesService,
    EventReports,
    TimeseriesActions,
    EventTruncation,
    EventSizes,
    UsageActions,
    AnalyticsActions,
    lazyResolvers(() => import('./timeseries.resolver.js')),
    lazyResolvers(() => import('./usage.resolver.js')),
    lazyResolvers(() => import('./run-events.resolver.js')),
    lazyResolvers(() => import('./report-operation.resolver.js')),
    EventWalkService,
  ],
  exports: [EventReports, TimeseriesService],
})
export class TimeseriesModule {}
