import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ActionsModule } from './actions.module.js';
import { AspectActionsController, AspectsController } from './aspects.controller.js';
import { CountActions } from './count.actions.js';
import { DefaultPlatformInstance } from './default-platform-instance.js';
import { EntitiesController, EntityActionsController } from './entities.controller.js';
import { RestliEntitiesV2Controller } from './entities-v2.controller.js';
import { EntitiesV2QuickRead } from './entities-v2.quick-read.js';
import { EntityNames } from './entity-names.js';
import { EntityReader } from './entity-reader.service.js';
import { ReadFilters } from './read-filters.js';
import { SecretReadFilter } from './secret.read-filter.js';
import { EntityStoreModule } from './store/entity-store.module.js';
import { VersionedEntities } from './versioned-entities.service.js';

/** The read side. Needs the global providers Database, Model and RecordNamespace. */
@Module({
  imports: [ActionsModule, DiscoveryModule, EntityStoreModule],
  controllers: [
    AspectActionsController,
    AspectsController,
    EntitiesController,
    EntityActionsController,
    RestliEntitiesV2Controller,
  ],
  providers: [
    ReadFilters,
    SecretReadFilter,
    DefaultPlatformInstance,
    EntityNames,
    EntityReader,
    EntitiesV2QuickRead,
    CountActions,
    VersionedEntities,
  ],
  exports: [ActionsModule, EntityNames, EntityReader, EntityStoreModule, ReadFilters],
})
export class EntitiesModule {}
