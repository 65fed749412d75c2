import { Resource, type Access } from './access.js';
import { CREATE, DELETE, EDIT } from './entity-privileges.js';

/**
 * Privileges of policies about the service (`PLATFORM`) that stand for making, editing and deleting all entities of some types, and
 * these types. What decides who may do what is not among them: that is for administrators.
 */
export const KINDS_MANAGED: Readonly<Record<string, readonly string[]>> = {
  MANAGE_TAGS: ['tag'],
  MANAGE_DOMAINS: ['domain'],
  MANAGE_GLOSSARIES: ['glossaryNode', 'glossaryTerm'],
  MANAGE_STRUCTURED_PROPERTIES: ['structuredProperty'],
  MANAGE_GLOBAL_OWNERSHIP_TYPES: ['ownershipType'],
  MANAGE_GLOBAL_VIEWS: ['dataHubView'],
  MANAGE_INGESTION: ['dataHubExecutionRequest', 'dataHubIngestionSource'],
  MANAGE_TESTS: ['test'],
  MANAGE_BUSINESS_ATTRIBUTE: ['businessAttribute'],
  MANAGE_DOCUMENTATION_FORMS: ['form'],
  MANAGE_APPLICATIONS: ['application'],
  MANAGE_DOCUMENTS: ['document'],
  MANAGE_GLOBAL_ANNOUNCEMENTS: ['post'],
  MANAGE_GLOBAL_SETTINGS: ['globalSettings'],
  MANAGE_HOME_PAGE_TEMPLATES: ['dataHubPageModule', 'dataHubPageTemplate'],
};

/** Those that stand for making new entities of some types, whatever is said of them then, and these types. */
export const KINDS_CREATED: Readonly<Record<string, readonly string[]>> = {
  CREATE_TAGS: ['tag'],
  CREATE_DOMAINS: ['domain'],
  CREATE_BUSINESS_ATTRIBUTE: ['businessAttribute'],
  CREATE_GLOBAL_ANNOUNCEMENTS: ['post'],
};

/** Whether policies leave a caller the right to make, edit and delete any entity of some types. */
export function managesKinds(access: Access | undefined, kinds: readonly string[]): boolean {
  if (access === undefined) return true;
  return kinds.every((kind) => [CREATE, EDIT, DELETE].every((name) => access.allows(name, anyOf(kind))));
}

/** Whether policies leave a caller the right to make entities of some types. */
export function createsKinds(access: Access | undefined, kinds: readonly string[]): boolean {
  return access === undefined || kinds.every((kind) => access.creates(EDIT, anyOf(kind)));
}

/** An entity of which nothing but the type is known. */
const anyOf = (kind: string): Resource => new Resource(`urn:li:${kind}:`, kind, () => undefined);
