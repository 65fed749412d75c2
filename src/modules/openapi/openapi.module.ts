import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ChangeLogModule } from '../change-log/index.js';
import { EntitiesModule } from '../entities/index.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import {
  DocumentController,
  DocumentService,
  SwaggerUiController,
  SwaggerUiService,
} from './serving/index.js';
import { RetentionJob } from './retention.job.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { EntityListService } from './read/entity-list.service.js';
import { EntityQuickRead } from './read/entity.quick-read.js';
import { EntityReadService } from './read/entity-read.service.js';
import { AcceptedWritesHealth } from './receipts/accepted-writes.health.js';
import { AcceptedWrites } from './receipts/accepted-writes.service.js';
import { ReceiptActions } from './receipts/receipt.actions.js';
import { ReceiptWorker } from './receipts/receipt-worker.js';
import { TraceController } from './receipts/trace.controller.js';
import { TraceService } from './receipts/trace.service.js';
import { WriteReceiptRepository } from './receipts/write-receipt.repository.js';
import { RegistryController } from './registry/registry.controller.js';
import { RegistryService } from './registry/registry.service.js';
import { EntitiesV1Controller } from './v1/entities-v1.controller.js';
import { EntitiesV1Service } from './v1/entities-v1.service.js';
import { AspectsV2Controller } from './v2/aspects-v2.controller.js';
import { EntitiesV2Controller } from './v2/entities-v2.controller.js';
import { AspectsV3Controller } from './v3/aspects-v3.controller.js';
import { AcrossController } from './v3/across.controller.js';
import { EntitiesV3Controller } from './v3/entities-v3.controller.js';
import { AspectWritesService } from './write/aspect-writes.service.js';
import { BatchWritesService } from './write/batch-writes.service.js';
import { EntityWriteService } from './write/entity-write.service.js';
import { EntityWritesEndpoint } from './write/entity-writes.endpoint.js';
import { ItemParser } from './write/item-parser.js';

/** The OpenAPI surface. Needs the global providers Database, Model and API_ROUTES. */
@Module({
  imports: [DiscoveryModule, ChangeLogModule, EntitiesModule, IngestModule, SearchModule],
  controllers: [
    AcrossController,
    EntitiesV3Controller,
    AspectsV3Controller,
    EntitiesV2Controller,
    AspectsV2Controller,
    TraceController,
    RegistryController,
    EntitiesV1Controller,
    DocumentController,
    SwaggerUiController,
  ],
  providers: [
    ItemParser,
    IdempotencyRepository,
    IdempotencyService,
    WriteReceiptRepository,
    ReceiptWorker,
    ReceiptActions,
    AcceptedWritesHealth,
    AcceptedWrites,
    TraceService,
    RegistryService,
    EntitiesV1Service,
    RetentionJob,
    EntityReadService,
    EntityQuickRead,
    EntityListService,
    EntityWriteService,
    EntityWritesEndpoint,
    AspectWritesService,
    BatchWritesService,
    DocumentService,
    SwaggerUiService,
  ],
})
export class OpenapiModule {}
