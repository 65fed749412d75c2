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
};

/** Whether policies leave a caller the right to make, edit and delete any entity of some types. */
export function managesKinds(access: Access | undefined, kinds: readonly string[]): boolean {
  if (access === undefined) return true;
  return kinds.every((kind) => {
    // One of which nothing but the type is known.
    const any = new Resource(`urn:li:${kind}:`, kind, () => undefined);
    return [CREATE, EDIT, DELETE].every((name) => access.allows(name, any));
  });
}
