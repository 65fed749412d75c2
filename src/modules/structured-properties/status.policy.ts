import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE } from './property-definition.js';

/**
 * Refuses the status of a property that does not exist: only its definition creates a property.
 * Source: decisions, "Existence".
 */
@Injectable()
export class PropertyStatusPolicy extends ProposalPolicy {
  readonly aspects = ['status'];

  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>) {
    super();
  }

  async judge({ entity, urn, pointer }: ChangeProposal, context: PolicyContext): Promise<void> {
    if (entity.name !== PROPERTY_TYPE || context.next === undefined) return;
    if (this.settings.compatibility.statusMakesEntities) return;
    if (await context.entityExists(urn.text)) return;
    if (context.requested(urn.text).has(DEFINITION_ASPECT)) return;
    throw refuse(
      'ENTITY_NOT_FOUND',
      `${urn.text} does not exist: it needs its ${DEFINITION_ASPECT} first`,
      pointer,
    );
  }
}
