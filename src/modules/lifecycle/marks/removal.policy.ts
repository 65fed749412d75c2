import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../../catalog/extension/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';

/** Only what exists can be removed. Source: specification, "States and transitions". */
@Injectable()
export class RemovalPolicy extends ProposalPolicy {
  readonly aspects = ['status'];

  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>) {
    super();
  }

  async judge({ urn, pointer }: ChangeProposal, context: PolicyContext): Promise<void> {
    if (this.settings.compatibility.statusMakesEntities) return;
    if (context.next?.['removed'] !== true || (await context.entityExists(urn.text))) return;
    throw refuse('ENTITY_NOT_FOUND', `${urn.text} does not exist, so it cannot be removed`, pointer);
  }
}
