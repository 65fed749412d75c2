import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { EntityCountService } from './counts/entity-count.service.js';
import { EntityMetrics } from './counts/entity-metrics.js';
import { EntityCountsController } from './counts/entity-counts.controller.js';
import { DeletionService } from './deletion.service.js';
import { ExistenceService } from './existence.service.js';
import { LifecycleActions } from './lifecycle.actions.js';
import { MarksService } from './marks/marks.service.js';
import { RemovalPolicy } from './marks/removal.policy.js';
import { CleanupTraceService } from './references/cleanup-trace.service.js';
import { CleanupController } from './references/cleanup.controller.js';
import { ReferenceCleanup } from './references/reference-cleanup.consumer.js';
import { ReferencesService } from './references/references.service.js';
import { RollbackPlanner } from './runs/rollback-planner.js';
import { RollbackService } from './runs/rollback.service.js';
import { RunActions } from './runs/run.actions.js';
import { RunsController } from './runs/runs.controller.js';
import { RunsService } from './runs/runs.service.js';

/** The end of entities, and of what runs wrote. Needs the global providers Database and Model. */
@Module({
  imports: [EntitiesModule, IngestModule],
  controllers: [RunsController, EntityCountsController, CleanupController],
  providers: [
    LifecycleActions,
    DeletionService,
    ExistenceService,
    ReferencesService,
    ReferenceCleanup,
    CleanupTraceService,
    RemovalPolicy,
    MarksService,
    lazyResolvers(() => import('./marks/marks.resolver.js')),
    EntityCountService,
    EntityMetrics,
    RunsService,
    RollbackPlanner,
    RollbackService,
    RunActions,
  ],
})
export class LifecycleModule {}
