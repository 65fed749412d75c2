import { Field, InputType, ObjectType } from '@nestjs/graphql';
import type { Privilege } from '../../catalog/auth/index.js';
import { Entity, EntityType, typeNamed } from '../graphql/index.js';

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
