import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import type { RetentionPolicyValue } from './retention-rules.js';

/** A retention policy leaves at least the latest version, so its limits are 1 or more. */
@Injectable()
export class RetentionLimitsPolicy extends ProposalPolicy {
  readonly aspects = ['dataHubRetentionConfig'];

  async judge({ pointer, valuePointer }: ChangeProposal, { next }: PolicyContext): Promise<void> {
    const { version, time } = (next?.['retention'] ?? {}) as RetentionPolicyValue['retention'];
    const at = `${pointer}${valuePointer}/retention`;
    if (version && version.maxVersions < 1)
      throw refuse('RULE_VIOLATED', 'maxVersions must be 1 or more', `${at}/version/maxVersions`);
    if (time && time.maxAgeInSeconds < 1)
      throw refuse('RULE_VIOLATED', 'maxAgeInSeconds must be 1 or more', `${at}/time/maxAgeInSeconds`);
  }
}
