import { readTags, versionTag, type ChangeProposal } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { StoredAspect } from './head.js';

/** Conditions by the names that errors point to; the keys are how proposals carry them. */
const NAMES = {
  'if-match': 'If-Match',
  'if-none-match': 'If-None-Match',
  'if-version-match': 'If-Version-Match',
  'if-modified-since': 'If-Modified-Since',
  'if-unmodified-since': 'If-Unmodified-Since',
} as const;

type ConditionName = keyof typeof NAMES;

const isConditionName = (name: string): name is ConditionName => Object.hasOwn(NAMES, name);

/** What must hold for a proposal to be carried out; absent = no such condition. Times are epoch milliseconds. */
interface Conditions {
  /** Tags one of which the stored value must have; `*` = there must be one at all. */
  match?: '*' | readonly string[];
  /** Tags none of which the stored value may have; `*` = there must be none at all. */
  noneMatch?: '*' | readonly string[];
  /** The version that must stand there; -1 = none. */
  version?: number;
  modifiedSince?: number;
  unmodifiedSince?: number;
}

const NO_CONDITIONS: Conditions = Object.freeze({});

/**
 * Reads the conditions that a proposal carries in its headers.
 * @throws CatalogError PARAMETER_INVALID for one that cannot be read or is not known: none is ever ignored.
 */
export function readConditions({ headers, aspect, pointer }: ChangeProposal): Conditions {
  let conditions: Conditions | undefined;
  for (const [name, text] of Object.entries(headers)) {
    if (!name.startsWith('if-')) continue;
    if (!isConditionName(name)) {
      const known = Object.values(NAMES).join(', ');
      throw refuse(
        'PARAMETER_INVALID',
        `there is no condition "${name}", only ${known}`,
        `${pointer}/headers/${name}`,
      );
    }
    const at = `${pointer}/headers/${NAMES[name]}`;
    if (aspect.kind === 'timeseries') {
      const message = `"${aspect.name}" is a time-series aspect: its events have no versions that a condition could hold for`;
      throw refuse('PARAMETER_INVALID', message, at);
    }
    conditions ??= {};
    switch (name) {
      case 'if-match':
        conditions.match = readTags(NAMES[name], text, at);
        break;
      case 'if-none-match':
        conditions.noneMatch = readTags(NAMES[name], text, at);
        break;
      case 'if-version-match':
        conditions.version = readVersion(text, at);
        break;
      case 'if-modified-since':
        conditions.modifiedSince = readInstant(text, at);
        break;
      case 'if-unmodified-since':
        conditions.unmodifiedSince = readInstant(text, at);
        break;
    }
  }
  return conditions ?? NO_CONDITIONS;
}

/**
 * Judges the conditions of a proposal against what stands there, inside the transaction.
 * Answers false when the write is to be left out without an error: CREATE with `If-None-Match: *` of what is there.
 * @throws CatalogError PRECONDITION_FAILED, naming the current version; and what {@link readConditions} throws.
 */
export function meetsPreconditions(proposal: ChangeProposal, current: StoredAspect | undefined): boolean {
  const { match, noneMatch, version, modifiedSince, unmodifiedSince } = readConditions(proposal);
  const fail = (name: ConditionName, condition: string): never => {
    const now = current === undefined ? 'there is none' : `the current version is ${current.version}`;
    throw refuse(
      'PRECONDITION_FAILED',
      `${proposal.aspect.name} of ${proposal.urn.text}: ${condition}, but ${now}`,
      `${proposal.pointer}/headers/${NAMES[name]}`,
    );
  };
  const tag = current && versionTag(current.version, current.createdAt);
  if (match !== undefined && (tag === undefined || (match !== '*' && !match.includes(tag))))
    fail('if-match', match === '*' ? 'a value is expected' : 'the value of an earlier read is expected');
  if (version !== undefined && version !== (current?.version ?? -1))
    fail('if-version-match', `version ${version} is expected`);
  if (modifiedSince !== undefined && !(current !== undefined && current.createdAt > modifiedSince))
    fail('if-modified-since', 'a change since then is expected');
  if (unmodifiedSince !== undefined && current !== undefined && current.createdAt > unmodifiedSince)
    fail('if-unmodified-since', 'no change since then is expected');
  if (noneMatch !== undefined && tag !== undefined && (noneMatch === '*' || noneMatch.includes(tag))) {
    if (noneMatch === '*' && (proposal.changeType === 'CREATE' || proposal.changeType === 'CREATE_ENTITY'))
      return false;
    fail('if-none-match', noneMatch === '*' ? 'its absence is expected' : 'another value is expected');
  }
  return true;
}

function readVersion(text: string, pointer: string): number {
  if (/^(-1|0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw refuse(
    'PARAMETER_INVALID',
    `If-Version-Match must be a version number or -1, not "${text}"`,
    pointer,
  );
}

const INSTANT =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

function readInstant(text: string, pointer: string): number {
  // Date.parse takes many other texts for a time, and the 30th of February for one in March.
  const day = text.slice(0, 10);
  const time = INSTANT.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return time;
  throw refuse(
    'PARAMETER_INVALID',
    `"${text}" is no ISO 8601 instant such as 2026-01-31T12:00:00.000Z`,
    pointer,
  );
}
