import type { JWTPayload } from 'jose';
import { ROLES, SYSTEM_PRINCIPAL, type Role } from '../../../catalog/auth/index.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import type { OidcOptions } from './oidc-options.js';

/**
 * The user that the claims stand for, `urn:li:corpuser:<name>`; undefined when they name none that can be one. The service's own
 * name is no user's.
 */
export function actorOf(claims: JWTPayload, { userClaim }: OidcOptions): string | undefined {
  const name = textOf(claimOf(claims, userClaim)) ?? textOf(claims.sub);
  const actor = `urn:li:corpuser:${name ?? ''}`;
  return tryParseUrn(actor) === undefined || actor === SYSTEM_PRINCIPAL.actor ? undefined : actor;
}

/** The role that the groups of the claims give; undefined when they give none. */
export function roleOf(claims: JWTPayload, options: OidcOptions): Role | undefined {
  const given = groupsOf(claims, options.groupsClaims).map((group) => options.roles.get(group));
  return ROLES.findLast((role) => given.includes(role)) ?? options.defaultRole;
}

/** The names of the groups, as the claims have them. */
export function groupsOf(claims: JWTPayload, names: readonly string[]): string[] {
  return names
    .flatMap((name) => claimOf(claims, name))
    .filter((group): group is string => typeof group === 'string');
}

/** The URNs of groups by their names; names that can be in no URN are left out. */
export function groupUrns(names: readonly string[]): string[] {
  const urns = names.map((name) => `urn:li:corpGroup:${name}`);
  return [...new Set(urns)].filter((urn) => tryParseUrn(urn) !== undefined).sort();
}

/** A claim by its name, which may have dots, or else by its path. */
function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, key) => {
    const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return inside ? (value as Record<string, unknown>)[key] : undefined;
  }, claims);
}

/** A claim that is a text, unless it is empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
