import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { SETTINGS_ASPECT } from './property-definition.js';

const PLACES = [
  'showInSearchFilters',
  'showInAssetSummary',
  'showAsAssetBadge',
  'showInColumnsTable',
] as const;

/** One property at most is the badge of assets. */
const BADGE = 'settings:assetBadge';

/** Where a property may be shown. Source: reference behaviour, 5.4. */
@Injectable()
export class SettingsPolicy extends ProposalPolicy {
  readonly aspects = [SETTINGS_ASPECT];

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    const { next } = context;
    const at = (field: string): string => `${proposal.pointer}${proposal.valuePointer}/${field}`;
    const other = PLACES.find((place) => next?.[place] === true);
    if (next?.['isHidden'] === true && other !== undefined) {
      throw refuse(
        'RULE_VIOLATED',
        'Cannot have property isHidden = true while other display location settings are also true.',
        at(other),
      );
    }
    if (next?.['showAsAssetBadge'] !== true) return context.release(BADGE);
    const owner = await context.claim(BADGE);
    if (owner !== undefined) {
      throw refuse(
        'RULE_VIOLATED',
        `Only one property can be shown as asset badge, and ${owner} is already`,
        at('showAsAssetBadge'),
      );
    }
  }
}
