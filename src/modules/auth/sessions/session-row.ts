import type { Principal } from '../../../catalog/auth/index.js';
import { readJson } from '../../../catalog/json/index.js';
import type { AccessTokenRow } from '../entities/access-token.row.js';
import { hashToken } from '../token.js';

/** After so long the secret of a session is replaced. */
const RENEW_MS = 3_600_000;

/**
 * A browser that still sends a secret so long after it was replaced has not got the new one: a page that people leave cancels
 * what is under way. It gets another one then.
 */
export const LOST_MS = 10_000;

const ACCOUNT = 'account:';
const CONFIGURED = 'configured:';

/** What sessions of an account have as their parent, and tokens that are made in them: they are revoked together. */
export const accountParent = (actor: string): string => `${ACCOUNT}${hashToken(actor).slice(0, 40)}`;

/** Whether sessions, and what is made in them, belong to an account with a password. */
export const isAccountParent = (parent: string): boolean => parent.startsWith(ACCOUNT);

/** The same of the administrator token of the configuration, which ends when it is changed there. */
export const configuredParent = (hash: string): string => `${CONFIGURED}${hash.slice(0, 40)}`;

/** What a token has as its parent that is made in a session which has this one. */
export const originOf = (parent: string): string => (parent.startsWith(CONFIGURED) ? 'configured' : parent);

/** Whether a token is valid only as long as its user may hold it. */
export const isOfHolder = ({ kind, parent }: AccessTokenRow): boolean =>
  kind !== '' || isAccountParent(parent);

/** Whom a token stands for. */
export function principalOf(row: AccessTokenRow): Principal {
  const { actor, role, id, kind, parent, usedAt, claims } = row;
  const said = claims === null ? {} : (readJson(claims) as Pick<Principal, 'endsAt' | 'groups'>);
  if (kind === '') return { actor, role, tokenId: id, ...said };
  const renewAt = usedAt + (kind === 'former' ? LOST_MS : RENEW_MS);
  return {
    actor,
    role,
    tokenId: kind === 'former' ? parent : id,
    session: { renewAt },
    ...said,
  };
}
