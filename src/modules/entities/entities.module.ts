import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EntityStateReader } from '../../catalog/store/index.js';
import { AspectsController } from './aspects.controller.js';
import { CountActions } from './count.actions.js';
import { DefaultPlatformInstance } from './default-platform-instance.js';
import { EntitiesController } from './entities.controller.js';
import { RestliEntitiesV2Controller } from './entities-v2.controller.js';
import { EntitiesV2QuickRead } from './entities-v2.quick-read.js';
import { EntityNames } from './entity-names.js';
import { EntityReader } from './entity-reader.service.js';
import { EntityStateRepository } from './entity-state.repository.js';
import { ReadFilters } from './read-filters.js';
import { SecretReadFilter } from './secret.read-filter.js';

/** The read side. Needs the global providers Database, Model and RecordNamespace. */
@Module({
  imports: [DiscoveryModule],
  controllers: [AspectsController, EntitiesController, RestliEntitiesV2Controller],
  providers: [
    EntityStateRepository,
    { provide: EntityStateReader, useExisting: EntityStateRepository },
    ReadFilters,
    SecretReadFilter,
    DefaultPlatformInstance,
    EntityNames,
    EntityReader,
    EntitiesV2QuickRead,
    CountActions,
  ],
  exports: [EntityNames, EntityReader, EntityStateReader, ReadFilters],
})
export class EntitiesModule {}
