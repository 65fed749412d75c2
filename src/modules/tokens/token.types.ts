import type { Privilege } from '../../catalog/auth/index.js';
import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ROLES, type Role } from '../../catalog/auth/index.js';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  Entity,
  EntityType,
  FacetFilterInput,
  Long,
  optional,
  showsPartOf,
  showsRecord,
  typeNamed,
  type Stored,
} from '../graphql/index.js';

const AccessTokenType = { PERSONAL: 'PERSONAL', SERVICE_ACCOUNT: 'SERVICE_ACCOUNT' } as const;
type AccessTokenType = keyof typeof AccessTokenType;
registerEnumType(AccessTokenType, { name: 'AccessTokenType', description: 'Whom a token is for.' });

const DAY = 86_400_000;

/** How long a token is valid, in milliseconds. */
export const DURATIONS = {
  ONE_HOUR: DAY / 24,
  ONE_DAY: DAY,
  ONE_WEEK: 7 * DAY,
  ONE_MONTH: 30 * DAY,
  THREE_MONTHS: 90 * DAY,
  SIX_MONTHS: 180 * DAY,
  ONE_YEAR: 365 * DAY,
  NO_EXPIRY: 'never',
} as const;
const AccessTokenDuration = Object.fromEntries(Object.keys(DURATIONS).map((name) => [name, name])) as {
  [K in keyof typeof DURATIONS]: K;
};
type AccessTokenDuration = keyof typeof DURATIONS;
registerEnumType(AccessTokenDuration, {
  name: 'AccessTokenDuration',
  description: 'How long a token is valid. NO_EXPIRY is for administrators.',
});

const TokenRole = Object.fromEntries(ROLES.map((role) => [role, role])) as { [K in Role]: K };
registerEnumType(TokenRole, { name: 'TokenRole', description: 'What the holder of a token may do.' });

@InputType('CreateAccessTokenInput', { description: 'A token to make.' })
export class CreateAccessTokenInput {
  @Field(() => AccessTokenType) type!: AccessTokenType;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => AccessTokenDuration) duration!: AccessTokenDuration;
  @Field(() => String) name!: string;
  @Field(() => String, optional) description?: string | null;
  @Field(() => TokenRole, {
    nullable: true,
    description:
      'What its holder may do. Default: the role of the caller for a token of their own, else EDITOR.',
  })
  role?: Role | null;
}

@InputType('ListAccessTokenInput', { description: 'Which tokens to list.' })
export class ListAccessTokenInput {
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 20.' }) count?: number | null;
  @Field(() => [FacetFilterInput], {
    nullable: true,
    description:
      'By the fields actorUrn and ownerUrn; by expiresAt, LESS_THAN a time, those that have ended and were not taken back.',
  })
  filters?: FacetFilterInput[] | null;
}

@ObjectType('AccessTokenMetadata', { description: 'What is known about a token: everything but the token.' })
export class AccessTokenMetadata {
  @Field(() => String) urn!: string;
  @Field(() => EntityType, { description: 'Always ACCESS_TOKEN.' }) type!: EntityType;
  @Field(() => String) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => String, { description: 'URN of the user who made it.' }) ownerUrn!: string;
  @Field(() => TokenRole, optional) role!: Role;
  @Field(() => Long) createdAt!: number;
  @Field(() => Long, { nullable: true, description: 'Null when it does not end.' }) expiresAt!: number | null;
  @Field(() => Long, { nullable: true, description: 'When it was taken back.' }) revokedAt!: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the token that made it, and with which it is taken back.',
  })
  parentId!: string | null;
}

@ObjectType('AccessToken', { description: 'A new token.' })
export class AccessToken {
  @Field(() => String, { description: 'The token. It cannot be seen again.' }) accessToken!: string;
  @Field(() => AccessTokenMetadata, optional) metadata!: AccessTokenMetadata;
}

@ObjectType('ListAccessTokenResult', { description: 'A page of tokens.' })
export class ListAccessTokenResult {
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int) total!: number;
  @Field(() => [AccessTokenMetadata]) tokens!: AccessTokenMetadata[];
}

@InputType('GetAccessTokenInput', { description: 'The token that is wanted.' })
export class GetAccessTokenInput {
  @Field(() => AccessTokenType) type!: AccessTokenType;
  @Field(() => String, { description: 'URN of the user whose token it is.' }) actorUrn!: string;
  @Field(() => AccessTokenDuration) duration!: AccessTokenDuration;
}

@ObjectType('InviteToken', { description: 'The encrypted invitation and the role it gives.' })
export class InviteToken {
  @Field(() => String, { description: 'The invitation as it is stored.' }) inviteToken!: string;
}

showsRecord(
  'identity.InviteToken',
  'InviteToken',
  (value: model.InviteToken, _context, owner): InviteToken & Stored => ({
    inviteToken: value.token,
    stored: value,
    owner,
  }),
);
showsPartOf('InviteToken', 'identity.InviteToken', true);

@InputType('GetInviteTokenInput', { description: 'Which invitation is wanted.' })
export class GetInviteTokenInput {
  @Field(() => String, { nullable: true, description: 'URN of the role that it gives.' })
  roleUrn?: string | null;
}

/** What clients ask about a caller, and what the service asks for it. */
export const PLATFORM_PRIVILEGES = {
  viewAnalytics: 'read',
  managePolicies: 'manage',
  manageIdentities: 'manage',
  manageUserCredentials: 'manage',
  generatePersonalAccessTokens: 'read',
  manageTokens: 'manage',
  manageDomains: 'write',
  manageGlossaries: 'write',
  manageTags: 'write',
  createTags: 'write',
  createDomains: 'write',
  manageStructuredProperties: 'write',
  manageIngestion: 'write',
  manageSecrets: 'manage',
  viewTests: 'read',
  manageTests: 'write',
  viewManageTags: 'write',
  createLogicalModels: 'write',
  manageGlobalViews: 'write',
  manageGlobalSettings: 'write',
  manageOwnershipTypes: 'write',
  manageGlobalAnnouncements: 'write',
  createBusinessAttributes: 'write',
  manageBusinessAttributes: 'write',
  viewStructuredPropertiesPage: 'read',
  manageApplications: 'write',
  manageFeatures: 'manage',
  manageHomePageTemplates: 'write',
  manageDocuments: 'write',
  manageServiceAccounts: 'manage',
} as const satisfies Record<string, Privilege>;

@ObjectType('PlatformPrivileges', { description: 'What a caller may do.' })
export class PlatformPrivileges {}
for (const name of Object.keys(PLATFORM_PRIVILEGES)) Field(() => Boolean)(PlatformPrivileges.prototype, name);

@InputType('ResourceSpec', { description: 'What something would be done with.' })
export class ResourceSpec {
  @Field(() => EntityType) resourceType!: string;
  @Field(() => String, { description: 'Its URN.' }) resourceUrn!: string;
}

@InputType('GetGrantedPrivilegesInput', { description: 'Whose privileges are wanted.' })
export class GetGrantedPrivilegesInput {
  @Field(() => String, { description: 'URN of the user.' }) actorUrn!: string;
  @Field(() => ResourceSpec, { nullable: true, description: 'On this resource; of the service when absent.' })
  resourceSpec?: ResourceSpec | null;
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' })
  includeEvaluationDetails?: boolean | null;
}

@ObjectType('Privileges', { description: 'What is allowed.' })
export class Privileges {
  @Field(() => [String], { description: 'Names, such as EDIT_ENTITY_TAGS.' }) privileges!: string[];
}

/** Names by which clients also know privileges. */
export const SAME_PRIVILEGE: Readonly<Record<string, string>> = {
  VIEW_DATASET_USAGE: 'VIEW_ENTITY_PAGE',
  VIEW_DATASET_PROFILE: 'VIEW_ENTITY_PAGE',
  GET_TIMELINE_PRIVILEGE: 'VIEW_ENTITY_PAGE',
  EDIT_ENTITY_DOMAINS: 'EDIT_DOMAINS_PRIVILEGE',
  EDIT_ENTITY_DEPRECATION: 'EDIT_DEPRECATION_PRIVILEGE',
  EDIT_DATASET_COL_TAGS: 'EDIT_DATASET_COL_DESCRIPTION',
  EDIT_DATASET_COL_GLOSSARY_TERMS: 'EDIT_DATASET_COL_DESCRIPTION',
};

/** What may be allowed on a resource, in the words of clients, and what of a role it takes. */
export const RESOURCE_PRIVILEGES: Readonly<Record<string, Privilege>> = {
  VIEW_ENTITY_PAGE: 'read',
  VIEW_ENTITY: 'read',
  VIEW_DATASET_USAGE: 'read',
  VIEW_DATASET_PROFILE: 'read',
  GET_TIMELINE_PRIVILEGE: 'read',
  EDIT_ENTITY: 'write',
  CREATE_ENTITY: 'write',
  EDIT_ENTITY_TAGS: 'write',
  EDIT_ENTITY_GLOSSARY_TERMS: 'write',
  EDIT_ENTITY_OWNERS: 'write',
  EDIT_ENTITY_DOCS: 'write',
  EDIT_ENTITY_DOC_LINKS: 'write',
  EDIT_ENTITY_STATUS: 'write',
  EDIT_DOMAINS_PRIVILEGE: 'write',
  EDIT_ENTITY_DOMAINS: 'write',
  EDIT_ENTITY_DATA_PRODUCTS: 'write',
  EDIT_DEPRECATION_PRIVILEGE: 'write',
  EDIT_ENTITY_DEPRECATION: 'write',
  EDIT_ENTITY_EMBED: 'write',
  EDIT_ENTITY_INCIDENTS: 'write',
  EDIT_ENTITY_PROPERTIES: 'write',
  EDIT_DATASET_COL_TAGS: 'write',
  EDIT_DATASET_COL_GLOSSARY_TERMS: 'write',
  EDIT_DATASET_COL_DESCRIPTION: 'write',
  EDIT_LINEAGE: 'write',
  EDIT_QUERIES: 'write',
  DELETE_ENTITY: 'delete',
};

@ObjectType('AuthenticatedUser', { description: 'Who is calling.' })
export class AuthenticatedUser {
  @Field(() => typeNamed('CorpUser')) corpUser!: Entity;
  @Field(() => PlatformPrivileges) platformPrivileges!: PlatformPrivileges;
}
