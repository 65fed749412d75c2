import { authorize, ROLES, SYSTEM_PRINCIPAL, type Principal, type Role } from '../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { furthest } from '../../catalog/schedule/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import type { TokenState } from './token-rows.js';
import { FIRST_TOKEN_ID } from './auth-options.js';
import type { AccessTokenRow } from './entities/access-token.row.js';

const MAX_NAME_BYTES = 512;
const MAX_DESCRIPTION = 1_000;
const LONGEST_MS = 100 * 365 * 86_400_000;

/** How many valid tokens a user may have unless the installation says otherwise. */
export const TOKENS_PER_USER = 200;
/** How many tokens a user may make in a minute: far more than people need, far less than a loop would make. */
const MADE_IN_A_MINUTE = 30;
const MINUTE_MS = 60_000;

export interface TokenRequest {
  /** URN of the user that the token stands for. */
  actor: string;
  role: Role;
  name: string;
  description?: string;
  durationMs: number | 'never';
}

/** Whether a role allows no more than another one. */
export function isWithin(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other);
}

/** Whether what is asked for can be a token at all. @throws CatalogError PARAMETER_INVALID */
export function checkRequest(request: TokenRequest): void {
  const { actor, role, name, description = '', durationMs } = request;
  const invalid = (message: string, pointer: string): CatalogError =>
    refuse('PARAMETER_INVALID', message, pointer);
  if (tryParseUrn(actor)?.type !== 'corpuser')
    throw invalid('the user of a token must be a URN urn:li:corpuser:<name>', '/actor');
  if (!ROLES.includes(role)) throw invalid(`the role must be one of ${ROLES.join(', ')}`, '/role');
  const bytes = Buffer.byteLength(name);
  if (name.trim() === '' || bytes > MAX_NAME_BYTES)
    throw invalid(`the name of a token must have 1 to ${MAX_NAME_BYTES} bytes, not ${bytes}`, '/name');
  if (description.length > MAX_DESCRIPTION) {
    const message = `the description must have at most ${MAX_DESCRIPTION} characters, not ${description.length}`;
    throw invalid(message, '/description');
  }
  if (durationMs === 'never') return;
  if (!Number.isSafeInteger(durationMs) || durationMs <= 0 || durationMs > LONGEST_MS)
    throw invalid('the duration of a token must be a positive number of milliseconds', '/duration');
}

/**
 * Whether a caller may make this token: every user may make tokens for themselves that allow no more than they may do and that
 * end; the rest is for administrators. See {@link checkDescent} for how long it may live.
 * @throws CatalogError NOT_ALLOWED
 */
export function checkMaking(by: Principal, { actor, role, durationMs }: TokenRequest): void {
  if (actor !== by.actor || !isWithin(role, by.role) || durationMs === 'never') authorize(by, 'manage');
}

/**
 * Whether a new token may be, as the transaction sees the others: the one that makes it is still valid and not
 * outlived, and the user neither has nor makes too many. The command line may do what it likes: it is there for
 * when nothing else helps.
 * @throws CatalogError TOKEN_INVALID, RULE_VIOLATED, TOO_MANY_REQUESTS
 */
export async function checkDescent(
  by: Principal,
  row: AccessTokenRow,
  state: TokenState,
  tokensPerUser: number,
): Promise<void> {
  const now = row.createdAt;
  // First, since it holds the row of the parent: two requests with one token come one after the other.
  const parent = row.parent === '' ? undefined : await state.held(row.parent);
  if (parent !== undefined) checkMaker(parent, row);
  if (by.session !== undefined) {
    const session = await state.held(by.tokenId!);
    if (session === undefined || session.revokedAt !== 0)
      throw new CatalogError('TOKEN_INVALID', 'the session has ended');
  }
  if (by.endsAt !== undefined) refuseToOutlive(by.endsAt, row);
  if (by.actor === SYSTEM_PRINCIPAL.actor) return;
  // Those that were made before a clock was set back do not count for as long as that lasts.
  const { count, first } = await state.madeWithin(by.actor, now - MINUTE_MS, furthest(0, now));
  if (count >= MADE_IN_A_MINUTE) {
    const message = `${by.actor} has made ${count} tokens within a minute, and may make ${MADE_IN_A_MINUTE}`;
    const retryAfter = Math.max(1, Math.ceil((first + MINUTE_MS - now) / 1000));
    throw new CatalogError('TOO_MANY_REQUESTS', message, [], { retryAfter });
  }
  const valid = await state.valid(row.actor, now);
  if (valid >= tokensPerUser) {
    const message = `${row.actor} has ${valid} valid tokens, and may have ${tokensPerUser}: revoke some of them first`;
    throw refuse('RULE_VIOLATED', message, '/actor');
  }
}

function checkMaker(parent: AccessTokenRow, row: AccessTokenRow): void {
  if (parent.revokedAt !== 0) throw new CatalogError('TOKEN_INVALID', 'the token has been revoked');
  // That of the first start stands for the installation, as a configured one does: see README.
  if (parent.expiresAt === 0 || parent.id === FIRST_TOKEN_ID) return;
  refuseToOutlive(parent.expiresAt, row);
}

/** @param endsAt when the token ends that makes the new one */
function refuseToOutlive(endsAt: number, row: AccessTokenRow): void {
  if (row.expiresAt !== 0 && row.expiresAt <= endsAt) return;
  const end = new Date(endsAt).toISOString();
  throw refuse(
    'RULE_VIOLATED',
    `a token cannot outlive the one that makes it, which ends at ${end}`,
    '/duration',
  );
}
