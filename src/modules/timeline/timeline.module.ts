import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { TimelineController } from './timeline.controller.js';
import { TimelineService } from './timeline.service.js';

/** The history of entities for people. Needs the global providers Database and Model. */
@Module({
  imports: [EntitiesModule],
  controllers: [TimelineController],
  providers: [TimelineService, lazyResolvers(() => import('./timeline.resolver.js'))],
})
export class TimelineModule {}
