import { CREATE, DELETE, EDIT, type Privilege } from '../../catalog/auth/index.js';
import type { Model } from '../../catalog/model/index.js';

/** The privileges that let an entity be read, which are one and the same. Any privilege to edit it does, too. */
export const VIEWS = ['VIEW_ENTITY_PAGE', 'VIEW_ENTITY', 'GET_ENTITY_PRIVILEGE'] as const;

/** The privileges that policies give, and what of a role each of them needs besides. */
export function policyPrivileges(model: Model): ReadonlyMap<string, Privilege> {
  const edits = [...model.aspects.values()].flatMap(({ editPrivilege }) => editPrivilege ?? []);
  return new Map<string, Privilege>([
    ...VIEWS.map((name) => [name, 'read'] as const),
    ...[EDIT, CREATE, ...edits.sort()].map((name) => [name, 'write'] as const),
    [DELETE, 'delete'],
  ]);
}
