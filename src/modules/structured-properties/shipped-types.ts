import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { Model } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { parseUrn } from '../../catalog/urn/index.js';
import { IngestService } from '../ingest/index.js';

/** What a structured property can hold. Source: specification, "Structured property definition". */
const DATA_TYPES: Readonly<Record<string, string>> = {
  string: 'String',
  rich_text: 'Rich Text',
  number: 'Number',
  date: 'Date',
  urn: 'Urn',
};

/**
 * Writes the data types, and an entity type for each entity of the model, at start: definitions of structured
 * properties name them, and what they name must exist. Where they stand already, nothing happens.
 */
@Injectable()
export class ShippedTypes implements OnApplicationBootstrap {
  constructor(
    private readonly ingest: IngestService,
    private readonly model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { vendor } = this.settings;
    const types = Object.entries(DATA_TYPES).map(([name, displayName]) =>
      this.proposal('dataType', 'dataTypeInfo', `${vendor}.${name}`, displayName),
    );
    const entities = [...this.model.entities.keys()].map((name) =>
      this.proposal('entityType', 'entityTypeInfo', `${vendor}.${name}`, name),
    );
    await this.ingest.submit(SYSTEM_PRINCIPAL, [...types, ...entities]);
  }

  private proposal(
    entityName: string,
    aspectName: string,
    qualifiedName: string,
    displayName: string,
  ): ChangeProposal {
    const entity = this.model.findEntity(entityName);
    const aspect = entity && this.model.findAspect(entity, aspectName);
    if (!entity || !aspect) throw new Error(`the model lacks ${aspectName} of ${entityName}`);
    return {
      entity,
      aspect,
      urn: parseUrn(`urn:li:${entityName}:${qualifiedName}`),
      changeType: 'UPSERT',
      value: { qualifiedName, displayName },
      systemMetadata: { runId: 'system' },
      pointer: '',
      valuePointer: '',
    };
  }
}
