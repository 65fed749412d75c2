import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AcceptedWritesModule } from '../accepted-writes/index.js';
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
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { KeyRetention } from './idempotency/key-retention.js';
import { EntityListService } from './read/entity-list.service.js';
import { EntityQuickRead } from './read/entity.quick-read.js';
import { EntityReadService } from './read/entity-read.service.js';
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
  imports: [
    DiscoveryModule,
    AcceptedWritesModule,
    ChangeLogModule,
    EntitiesModule,
    IngestModule,
    SearchModule,
  ],
  controllers: [
    AcrossController,
    EntitiesV3Controller,
    AspectsV3Controller,
    EntitiesV2Controller,
    AspectsV2Controller,
    RegistryController,
    EntitiesV1Controller,
    DocumentController,
    SwaggerUiController,
  ],
  providers: [
    ItemParser,
    IdempotencyRepository,
    IdempotencyService,
    KeyRetention,
    RegistryService,
    EntitiesV1Service,
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
