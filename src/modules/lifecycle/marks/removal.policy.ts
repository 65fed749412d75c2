import { Inject, Injectable } from '@nestjs/common';
import { patchOperations, type ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../../catalog/extension/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';

/**
 * Only what exists, or what another aspect of the same request brings, can be removed: members of JSON have no order.
 * Source: specification, "States and transitions"; decisions, "Existence".
 */
@Injectable()
export class RemovalPolicy extends ProposalPolicy {
  readonly aspects = ['status'];

  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>) {
    super();
  }

  override creates({ changeType, value }: ChangeProposal): boolean {
    if (this.settings.compatibility.statusMakesEntities) return true;
    const values = changeType === 'PATCH' ? patchOperations(value).map(written) : [value];
    return !values.some((part) => part === true || (isRecord(part) && part['removed'] === true));
  }

  async judge({ urn, pointer }: ChangeProposal, context: PolicyContext): Promise<void> {
    if (this.settings.compatibility.statusMakesEntities) return;
    if (context.next?.['removed'] !== true || (await context.entityExists(urn.text))) return;
    if ([...context.requested(urn.text)].some((aspect) => !this.aspects.includes(aspect))) return;
    throw refuse(
      'ENTITY_NOT_FOUND',
      `${urn.text} does not exist, so it cannot be removed; with CATALOG_COMPATIBILITY=reference the service takes this write`,
      pointer,
    );
  }
}

/** What an operation of a patch writes. */
function written(operation: unknown): unknown {
  return isRecord(operation) ? operation['value'] : undefined;
}
