import { refuse } from '../errors/index.js';
import type { Principal, Role } from './principal.js';

/** The things that can be allowed. Every entry point of the kernel's services names the one it needs. */
export type Privilege = 'read' | 'write' | 'delete' | 'manage';

const GRANTS: Record<Role, ReadonlySet<Privilege>> = {
  READER: new Set(['read']),
  EDITOR: new Set(['read', 'write', 'delete']),
  ADMIN: new Set(['read', 'write', 'delete', 'manage']),
};

/** Whether a role has a privilege. */
export const grants = (role: Role, privilege: Privilege): boolean => GRANTS[role]?.has(privilege) === true;

/**
 * The one check of the service: below the surfaces, so that none of them can forget it. Denies by default.
 * Throws NOT_ALLOWED (403), naming what was asked for.
 */
export function authorize(principal: Principal, privilege: Privilege): void {
  if (grants(principal.role, privilege)) return;
  throw refuse(
    'NOT_ALLOWED',
    `${principal.actor} has the role ${principal.role}, which lacks the privilege "${privilege}"`,
  );
}

/** Whether policies hide entities from the caller. */
export const readsInPart = ({ access }: Principal): boolean => access?.readable !== undefined;

/**
 * For what is told of the catalog as a whole, and cannot be told of a part of it.
 * Throws NOT_ALLOWED (403), also for a caller from whom policies hide entities.
 */
export function authorizeWhole(principal: Principal, privilege: Privilege): void {
  authorize(principal, privilege);
  if (!readsInPart(principal)) return;
  throw refuse(
    'NOT_ALLOWED',
    `this is about the whole catalog, of which ${principal.actor} may read a part only (see docs/guides/policies.md)`,
  );
}
