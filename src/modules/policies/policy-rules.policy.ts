import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import type { DataHubPolicyInfo } from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { flawsOf } from './policy.js';

/** Refuses access policies that could not be applied as they are written. */
@Injectable()
export class PolicyRules extends ProposalPolicy {
  readonly aspects = ['dataHubPolicyInfo'];

  constructor(private readonly model: Model) {
    super();
  }

  override judge({ urn, pointer, valuePointer }: ChangeProposal, { next }: PolicyContext): Promise<void> {
    const flaws = next ? flawsOf(next as unknown as DataHubPolicyInfo, this.model) : [];
    const [first] = flaws;
    if (first === undefined) return Promise.resolve();
    const place = pointer + valuePointer;
    throw new CatalogError(
      'RULE_VIOLATED',
      `${urn.text} cannot be applied: ${first.pointer} ${first.message}`,
      flaws.map((flaw) => ({ ...flaw, pointer: place + flaw.pointer })),
    );
  }
}
