import { Field, ObjectType } from '@nestjs/graphql';
import type { Privilege } from '../../../catalog/auth/index.js';

/** What may be done with an entity, in the words of clients, and the privilege of policies that it takes. */
const EDITS: Readonly<Record<string, string>> = {
  canEditLineage: 'EDIT_LINEAGE',
  canEditDomains: 'EDIT_DOMAINS_PRIVILEGE',
  canEditDataProducts: 'EDIT_ENTITY',
  canEditTags: 'EDIT_ENTITY_TAGS',
  canEditGlossaryTerms: 'EDIT_ENTITY_GLOSSARY_TERMS',
  canEditDescription: 'EDIT_ENTITY_DOCS',
  canEditLinks: 'EDIT_ENTITY_DOC_LINKS',
  canEditOwners: 'EDIT_ENTITY_OWNERS',
  canEditAssertions: 'EDIT_ENTITY',
  canEditAssertionOwners: 'EDIT_ENTITY',
  canEditIncidents: 'EDIT_ENTITY_INCIDENTS',
  canEditDeprecation: 'EDIT_DEPRECATION_PRIVILEGE',
  canEditSchemaFieldTags: 'EDIT_DATASET_COL_DESCRIPTION',
  canEditSchemaFieldGlossaryTerms: 'EDIT_DATASET_COL_DESCRIPTION',
  canEditSchemaFieldDescription: 'EDIT_DATASET_COL_DESCRIPTION',
  canEditQueries: 'EDIT_ENTITY',
  canEditEmbed: 'EDIT_ENTITY_EMBED',
  canManageEntity: 'EDIT_ENTITY',
  canManageChildren: 'EDIT_ENTITY',
  canEditProperties: 'EDIT_ENTITY_PROPERTIES',
  canManageAssetSummary: 'EDIT_ENTITY',
};
const VIEWS = ['canViewDatasetUsage', 'canViewDatasetProfile', 'canViewDatasetOperations'] as const;

@ObjectType('EntityPrivileges', {
  description: 'What the caller may do with an entity, by the role of the token and the policies.',
})
export class EntityPrivileges {}
for (const name of [...Object.keys(EDITS), ...VIEWS])
  Field(() => Boolean, { nullable: true })(EntityPrivileges.prototype, name);

/** @param allows whether policies give a privilege, and the role what it takes */
export function entityPrivileges(allows: (privilege: string, role: Privilege) => boolean): EntityPrivileges {
  return Object.fromEntries([
    ...Object.entries(EDITS).map(([name, privilege]) => [name, allows(privilege, 'write')]),
    ...VIEWS.map((name) => [name, allows('VIEW_ENTITY_PAGE', 'read')]),
  ]) as EntityPrivileges;
}
