import { versionTag, type ChangeProposal, type WriteCondition } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { AspectVersion } from './head.js';

/** Judged last: it may skip a CREATE, which no other condition may refuse then. */
const LAST: WriteCondition['kind'] = 'noneMatch';

/** @throws CatalogError PARAMETER_INVALID for conditions on events: they have no versions. */
export function refuseConditionsOfEvents(proposal: ChangeProposal): void {
  const { aspect, pointer, conditions: [condition] = [] } = proposal;
  if (aspect.kind !== 'timeseries' || condition === undefined) return;
  const message = `"${aspect.name}" is a time-series aspect: its events have no versions that a condition could hold for`;
  throw refuse('PARAMETER_INVALID', message, pointer + condition.pointer);
}

/**
 * Checks the preconditions of a proposal against the current value, inside the transaction.
 * @returns false when a CREATE is skipped without an error: with `noneMatch` of any, where there is a value already
 * @throws CatalogError PRECONDITION_FAILED, naming the current version
 */
export function meetsPreconditions(proposal: ChangeProposal, current: AspectVersion | undefined): boolean {
  const { conditions, changeType } = proposal;
  if (conditions === undefined) return true;
  const last = conditions.filter(({ kind }) => kind === LAST);
  for (const condition of [...conditions.filter(({ kind }) => kind !== LAST), ...last]) {
    const fault = faultOf(condition, current);
    if (fault === undefined) continue;
    const creates = changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
    if (condition.kind === 'noneMatch' && condition.tags === '*' && creates) return false;
    const now = current === undefined ? 'there is none' : `the current version is ${current.version}`;
    const message = `${proposal.aspect.name} of ${proposal.urn.text}: ${fault}, but ${now}`;
    throw refuse('PRECONDITION_FAILED', message, proposal.pointer + condition.pointer);
  }
  return true;
}

/** What a condition expects and does not find; undefined when it holds. */
function faultOf(condition: WriteCondition, current: AspectVersion | undefined): string | undefined {
  const tag = current && versionTag(current.version, current.createdAt);
  switch (condition.kind) {
    case 'match':
      if (tag !== undefined && (condition.tags === '*' || condition.tags.includes(tag))) return undefined;
      return condition.tags === '*' ? 'a value is expected' : 'the value of an earlier read is expected';
    case 'noneMatch':
      if (tag === undefined || !(condition.tags === '*' || condition.tags.includes(tag))) return undefined;
      return condition.tags === '*' ? 'its absence is expected' : 'another value is expected';
    case 'version':
      if (condition.version === (current?.version ?? -1)) return undefined;
      return `version ${condition.version} is expected`;
    case 'modifiedSince':
      if (current !== undefined && current.createdAt > condition.time) return undefined;
      return 'a change since then is expected';
    case 'unmodifiedSince':
      if (current === undefined || current.createdAt <= condition.time) return undefined;
      return 'no change since then is expected';
  }
}
