import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { EditService, withText, type AspectEdit, type Resource } from '../ingest/index.js';
import { DatasetColumns } from './dataset-columns.js';
import { descriptionPlace } from './description-place.js';

/**
 * What people write about things: kept apart from what the platform says, and byte for byte as they wrote it.
 * Source: specification, "updateDescription".
 */
@Injectable()
export class DescriptionsService {
  constructor(
    private readonly edits: EditService,
    private readonly columns: DatasetColumns,
  ) {}

  /** @throws CatalogError ENTITY_NOT_FOUND, COLUMN_UNKNOWN, ASPECT_UNKNOWN for what people cannot describe. */
  async update(principal: Principal, resource: Resource, description: string): Promise<void> {
    const edit =
      resource.column === undefined
        ? this.ofEntity(resource, description)
        : this.ofColumn(resource, resource.column, description);
    await this.edits.submit(principal, [edit]);
  }

  private ofEntity({ urn, at }: Resource, description: string): AspectEdit {
    const { entity, urn: parsed } = this.edits.entity(urn, at);
    const place = descriptionPlace(entity, parsed.id);
    if (place === undefined) {
      const message = `the description of ${withArticle(entity.name)} cannot be edited: it comes from its source`;
      throw refuse('ASPECT_UNKNOWN', message, at);
    }
    return {
      urn,
      at,
      aspect: place.aspect,
      what: 'description',
      apply: (current, { stamp }) => withText(place, description, current, stamp),
    };
  }

  private ofColumn({ urn, at, columnAt }: Resource, path: string, description: string): AspectEdit {
    return this.columns.edit({
      urn,
      at,
      columns: [{ path, at: columnAt }],
      change: (column) => (column['description'] === description ? undefined : { ...column, description }),
    });
  }
}
