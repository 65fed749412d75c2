import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { Model } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE } from './property-definition.js';

/**
 * Refuses all aspects but the definition of a property that does not exist: only its definition creates a property.
 * Source: decisions, "Existence".
 */
@Injectable()
export class PropertyExistencePolicy extends ProposalPolicy {
  readonly aspects: readonly string[];

  constructor(
    model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {
    super();
    const aspects = model.findEntity(PROPERTY_TYPE)?.aspects.keys() ?? [];
    this.aspects = [...aspects].filter((name) => name !== DEFINITION_ASPECT);
  }

  override creates({ entity }: ChangeProposal): boolean {
    return entity.name !== PROPERTY_TYPE || this.settings.compatibility.statusMakesEntities;
  }

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    const { urn, pointer } = proposal;
    if (context.next === undefined || this.creates(proposal)) return;
    if (await context.entityExists(urn.text)) return;
    if (context.requested(urn.text).has(DEFINITION_ASPECT)) return;
    throw refuse(
      'ENTITY_NOT_FOUND',
      `${urn.text} does not exist: it needs its ${DEFINITION_ASPECT} first`,
      pointer,
    );
  }
}
