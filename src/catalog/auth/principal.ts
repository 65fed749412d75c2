import type { Access } from './access.js';

export const ROLES = ['READER', 'EDITOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** Who is calling. Made from a verified token by the surfaces' guard, and by nothing that a client sends. */
export interface Principal {
  /** URN of the user, the actor of every write. */
  readonly actor: string;
  readonly role: Role;
  /** Id of the token, absent for the service itself, and for callers with a token of an identity provider. */
  readonly tokenId?: string;
  /** When the token of an identity provider ends, epoch milliseconds. What it makes ends no later. */
  readonly endsAt?: number;
  /** URNs of the groups that the token of an identity provider names. */
  readonly groups?: readonly string[];
  /** Of a caller who is signed in on a page: when the secret of the session is to be replaced, epoch milliseconds. */
  readonly session?: { readonly renewAt: number };
  /** What policies leave of the role; absent where they restrict nothing. */
  readonly access?: Access;
}

/** The service acting for itself (start-up data, clean-up). */
export const SYSTEM_PRINCIPAL: Principal = Object.freeze({
  actor: 'urn:li:corpuser:__system__',
  role: 'ADMIN',
});

/** Who shares what each caller may use: all requests of one token. */
export function callerOf({ tokenId, actor }: Principal): string {
  return tokenId ?? actor;
}
