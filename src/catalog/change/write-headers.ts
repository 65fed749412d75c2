import { refuse } from '../errors/index.js';
import { jsonPointer } from '../json/index.js';
import type { ChangeProposal, WriteCondition } from './change-proposal.js';
import { readTags } from './entity-tags.js';

/** The headers of preconditions: the names in requests, and how errors write them. */
const CONDITIONS = {
  'if-match': 'If-Match',
  'if-none-match': 'If-None-Match',
  'if-version-match': 'If-Version-Match',
  'if-modified-since': 'If-Modified-Since',
  'if-unmodified-since': 'If-Unmodified-Since',
} as const;

type Condition = DistributiveOmit<WriteCondition, 'pointer'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

type ConditionName = keyof typeof CONDITIONS;

const isConditionName = (name: string): name is ConditionName => Object.hasOwn(CONDITIONS, name);

const WAIT = 'X-DataHub-Sync-Index-Update';
/** Asks that searches find the write before it is answered. */
export const WAIT_HEADER = 'x-datahub-sync-index-update';

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Reads headers that stand in a body; their names in lower case.
 * @param at JSON pointer of the object with the member `headers`, for errors.
 * @throws CatalogError PROPOSAL_MALFORMED
 */
function readHeaders(raw: unknown, at: string): Readonly<Record<string, string>> {
  if (raw === undefined || raw === null) return NONE;
  if (typeof raw !== 'object' || Array.isArray(raw))
    throw refuse('PROPOSAL_MALFORMED', 'headers must be an object with string values', `${at}/headers`);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value !== 'string') {
      const message = `the header "${name}" must be a string`;
      throw refuse('PROPOSAL_MALFORMED', message, `${at}/headers${jsonPointer([name])}`);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/**
 * The headers of a write: those of its request and those in its body. Of waiting, the body decides.
 * @param at JSON pointer of the object with the member `headers`, for errors.
 * @throws CatalogError PROPOSAL_MALFORMED; PARAMETER_INVALID for a condition that stands in both with another text:
 * none is ignored.
 */
export function withHeadersOf(
  raw: unknown,
  request: Readonly<Record<string, string>>,
  at: string,
): Readonly<Record<string, string>> {
  const headers = readHeaders(raw, at);
  for (const [name, text] of Object.entries(headers)) {
    const other = request[name];
    if (!isConditionName(name) || other === undefined || other === text) continue;
    const message = `${CONDITIONS[name]} of the request is ${other}, that of the body ${text}: send one of them`;
    throw refuse('PARAMETER_INVALID', message, `${at}/headers/${CONDITIONS[name]}`);
  }
  return { ...request, ...headers };
}

/**
 * Reads the preconditions of a write, and whether it waits for the index, from the headers of its request or in its
 * body.
 * @param headers names in lower case.
 * @param at JSON pointer of the proposal, for errors; its headers stand below `/headers`.
 * @throws CatalogError PARAMETER_INVALID for a condition that is unknown or cannot be read: none is ignored.
 */
export function readWriteHeaders(
  headers: Readonly<Record<string, string>>,
  at: string,
): Pick<ChangeProposal, 'conditions' | 'waitForIndex'> {
  const conditions: WriteCondition[] = [];
  const wait = headers[WAIT_HEADER];
  for (const [name, text] of Object.entries(headers)) {
    if (!name.startsWith('if-')) continue;
    if (!isConditionName(name)) {
      const known = Object.values(CONDITIONS).join(', ');
      const message = `there is no condition "${name}", only ${known}`;
      throw refuse('PARAMETER_INVALID', message, `${at}/headers/${name}`);
    }
    const pointer = `/headers/${CONDITIONS[name]}`;
    conditions.push({ ...readCondition(name, text, at + pointer), pointer });
  }
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(wait !== undefined && { waitForIndex: readWait(wait, `${at}/headers/${WAIT}`) }),
  };
}

function readCondition(name: ConditionName, text: string, at: string): Condition {
  switch (name) {
    case 'if-match':
      return { kind: 'match', tags: readTags(CONDITIONS[name], text, at) };
    case 'if-none-match':
      return { kind: 'noneMatch', tags: readTags(CONDITIONS[name], text, at) };
    case 'if-version-match':
      return { kind: 'version', version: readVersion(text, at) };
    case 'if-modified-since':
      return { kind: 'modifiedSince', time: readInstant(text, at) };
    case 'if-unmodified-since':
      return { kind: 'unmodifiedSince', time: readInstant(text, at) };
  }
}

function readVersion(text: string, pointer: string): number {
  // A number that is no version is a precondition that fails.
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  const message = `If-Version-Match must be a version number or -1, not "${text}"`;
  throw refuse('PARAMETER_INVALID', message, pointer);
}

const INSTANT =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

function readInstant(text: string, pointer: string): number {
  // Date.parse takes many other texts for a time, and the 30th of February for one in March.
  const day = text.slice(0, 10);
  const time = INSTANT.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return time;
  const message = `"${text}" is no ISO 8601 instant such as 2026-01-31T12:00:00.000Z`;
  throw refuse('PARAMETER_INVALID', message, pointer);
}

function readWait(text: string, pointer: string): boolean {
  if (/^false$/i.test(text)) return false;
  if (/^true$/i.test(text)) return true;
  throw refuse('PARAMETER_INVALID', `${WAIT} must be true or false, not "${text}"`, pointer);
}
