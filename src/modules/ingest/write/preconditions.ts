import type { ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { StoredAspect } from './head.js';

/**
 * Conditions that a proposal carries (`headers`), judged against what stands there, inside the transaction.
 * Answers false when the write is to be left out without an error: CREATE with `If-None-Match: *` of what is there.
 * @throws CatalogError PRECONDITION_FAILED, naming the current version; PARAMETER_INVALID for a condition that
 *   cannot be read, which is never ignored.
 */
export function meetsPreconditions(proposal: ChangeProposal, current: StoredAspect | undefined): boolean {
  const { headers, pointer } = proposal;
  const at = (name: string): string => `${pointer}/headers/${name}`;
  const fail = (condition: string, name: string): never => {
    const now = current === undefined ? 'there is none' : `the current version is ${current.version}`;
    throw refuse(
      'PRECONDITION_FAILED',
      `${proposal.aspect.name} of ${proposal.urn.text}: ${condition}, but ${now}`,
      at(name),
    );
  };

  const version = headers['if-version-match'];
  if (version !== undefined) {
    if (!/^(-1|0|[1-9]\d{0,15})$/.test(version)) {
      throw refuse(
        'PARAMETER_INVALID',
        `If-Version-Match must be a version number or -1, not "${version}"`,
        at('If-Version-Match'),
      );
    }
    const wanted = Number(version);
    if (wanted !== (current?.version ?? -1)) fail(`version ${version} is expected`, 'If-Version-Match');
  }
  const modified = instant(headers['if-modified-since'], at('If-Modified-Since'));
  if (modified !== undefined && !(current !== undefined && current.createdAt > modified)) {
    fail('a change since then is expected', 'If-Modified-Since');
  }
  const unmodified = instant(headers['if-unmodified-since'], at('If-Unmodified-Since'));
  if (unmodified !== undefined && current !== undefined && current.createdAt > unmodified) {
    fail('no change since then is expected', 'If-Unmodified-Since');
  }
  const none = headers['if-none-match'];
  if (none !== undefined) {
    if (none !== '*') {
      throw refuse('PARAMETER_INVALID', `If-None-Match can only be "*", not "${none}"`, at('If-None-Match'));
    }
    if (current !== undefined) {
      if (proposal.changeType === 'CREATE' || proposal.changeType === 'CREATE_ENTITY') return false;
      fail('its absence is expected', 'If-None-Match');
    }
  }
  return true;
}

function instant(text: string | undefined, pointer: string): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw refuse('PARAMETER_INVALID', `"${text}" is no ISO 8601 instant`, pointer);
  return time;
}
