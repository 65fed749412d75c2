import type { ChangeProposal } from '../../catalog/change/index.js';
import type { AspectSpec, EntitySpec } from '../../catalog/model/index.js';
import type { Urn } from '../../catalog/urn/index.js';

interface Target {
  entity: EntitySpec;
  urn: Urn;
  aspect: AspectSpec;
}

const BLANK = { systemMetadata: {}, pointer: '', valuePointer: '' };

/** A proposal that the service makes itself, to be carried out like any other. */
export function upsertOf(
  target: Target,
  value: Record<string, unknown>,
  more: Partial<ChangeProposal> = {},
): ChangeProposal {
  return { ...BLANK, ...target, changeType: 'UPSERT', value, ...more };
}

export function deletionOf(target: Target, more: Partial<ChangeProposal> = {}): ChangeProposal {
  return { ...BLANK, ...target, changeType: 'DELETE', ...more };
}

/** Only while the aspect still has this version: what was written since must not be lost. */
export function ifVersion(version: number): Pick<ChangeProposal, 'conditions'> {
  return { conditions: [{ kind: 'version', version, pointer: '' }] };
}

/** Only where there is a value: an entity that is gone does not come back by it. */
export const WHERE_IT_IS: Pick<ChangeProposal, 'conditions'> = {
  conditions: [{ kind: 'match', tags: '*', pointer: '' }],
};
