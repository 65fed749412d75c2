import type { DataHubPolicyInfo } from '../../catalog/model/generated/aspects.js';
import { CREATE, DELETE, EDIT, type Role } from '../../catalog/auth/index.js';
import { VIEWS } from './privileges.js';

/** The URN of the entity that stands for a role. */
export const ROLE_URNS: Readonly<Record<Role, string>> = {
  READER: 'urn:li:dataHubRole:Reader',
  EDITOR: 'urn:li:dataHubRole:Editor',
  ADMIN: 'urn:li:dataHubRole:Admin',
};

const ALL_RESOURCES = { type: 'METADATA', state: 'ACTIVE', editable: true } as const;

/**
 * What the roles allow while no policy says otherwise. A stored policy of the same URN takes the place of one of them, so
 * that it can be narrowed or switched off. Administrators need none: policies do not apply to them.
 */
export const BUILT_IN: ReadonlyMap<string, DataHubPolicyInfo> = new Map([
  [
    'urn:li:dataHubPolicy:catalog-readers',
    {
      ...ALL_RESOURCES,
      displayName: 'Readers and editors read everything',
      description: 'What the roles READER and EDITOR allow to read.',
      privileges: [...VIEWS],
      actors: actorsOf('READER', 'EDITOR'),
    },
  ],
  [
    'urn:li:dataHubPolicy:catalog-editors',
    {
      ...ALL_RESOURCES,
      displayName: 'Editors edit everything',
      description: 'What the role EDITOR allows to create, to change and to delete.',
      privileges: [EDIT, CREATE, DELETE],
      actors: actorsOf('EDITOR'),
    },
  ],
]);

function actorsOf(...roles: Role[]): DataHubPolicyInfo['actors'] {
  return {
    roles: roles.map((role) => ROLE_URNS[role]),
    allUsers: false,
    allGroups: false,
    resourceOwners: false,
  };
}
