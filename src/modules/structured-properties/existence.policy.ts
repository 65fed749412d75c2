import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { Model } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { DEFINITION_ASPECT, PROPERTY_TYPE } from './property-definition.js';

/**
 * Refuses aspects of a property that does not exist: its definition creates it. Clients that make entities by their keys may do so here.
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
    const property = model.findEntity(PROPERTY_TYPE);
    const creating = [DEFINITION_ASPECT, property?.key.name];
    this.aspects = [...(property?.aspects.keys() ?? [])].filter((name) => !creating.includes(name));
  }

  override creates({ entity }: ChangeProposal): boolean {
    return entity.name !== PROPERTY_TYPE || this.settings.compatibility.statusMakesEntities;
  }

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    const { urn, pointer } = proposal;
    if (context.next === undefined || this.creates(proposal)) return;
    if (await context.entityExists(urn.text)) return;
    if (context.requested(urn.text).size > 0) return;
    throw refuse(
      'ENTITY_NOT_FOUND',
      `${urn.text} does not exist: it needs its ${DEFINITION_ASPECT} first`,
      pointer,
    );
  }
}
