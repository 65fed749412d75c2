import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { DefinitionPolicy } from './definition.policy.js';
import { PropertyExistencePolicy } from './existence.policy.js';
import { Properties } from './properties.js';
import { PropertyChanges } from './property-changes.consumer.js';
import { PropertyFieldLookup } from './property-field-lookup.js';
import { PropertyFieldsProvider } from './property-fields.provider.js';
import { CommittedProperties } from './committed-properties.js';
import { MissingEdges } from './removal/missing-edges.js';
import { RemovalActions } from './removal/removal.actions.js';
import { RemovalQueue } from './removal/removal-queue.js';
import { RemovalProcessor } from './removal/removal.processor.js';
import { PropertyHolders } from './removal/property-holders.js';
import { RemovalRepository } from './removal/removal.repository.js';
import { RemovalStep } from './removal/removal.step.js';
import { UnreadableValues } from './removal/unreadable-values.js';
import { ValueRemover } from './removal/value-remover.js';
import { SettingsPolicy } from './settings.policy.js';
import { ShippedTypes } from './shipped-types.js';
import { StructuredPropertiesService } from './structured-properties.service.js';
import { ValuePolicy } from './value.policy.js';
import { ValueReadFilter } from './value.read-filter.js';
import { ValueCodec } from './value.codec.js';

/**
 * Structured properties: their aspects (`models/`), the types that definitions build on, the rules of definitions and
 * values, what is seen and found of them, and their end. Needs the global providers Database, Model and JobQueue.
 */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule],
  providers: [
    ShippedTypes,
    CommittedProperties,
    Properties,
    DefinitionPolicy,
    SettingsPolicy,
    PropertyExistencePolicy,
    ValuePolicy,
    ValueCodec,
    ValueReadFilter,
    PropertyFieldsProvider,
    PropertyFieldLookup,
    PropertyChanges,
    PropertyHolders,
    RemovalRepository,
    RemovalQueue,
    RemovalProcessor,
    ValueRemover,
    RemovalActions,
    UnreadableValues,
    MissingEdges,
    RemovalStep,
    StructuredPropertiesService,
    lazyResolvers(() => import('./structured-properties.resolver.js')),
  ],
})
export class StructuredPropertiesModule {}
