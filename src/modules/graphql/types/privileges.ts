import { Field, ObjectType } from '@nestjs/graphql';

/** What may be done with an entity, in the words of clients: a caller who may write may do all of it. */
const EDITS = [
  'canEditLineage',
  'canEditDomains',
  'canEditDataProducts',
  'canEditTags',
  'canEditGlossaryTerms',
  'canEditDescription',
  'canEditLinks',
  'canEditOwners',
  'canEditAssertions',
  'canEditAssertionOwners',
  'canEditIncidents',
  'canEditDeprecation',
  'canEditSchemaFieldTags',
  'canEditSchemaFieldGlossaryTerms',
  'canEditSchemaFieldDescription',
  'canEditQueries',
  'canEditEmbed',
  'canManageEntity',
  'canManageChildren',
  'canEditProperties',
  'canManageAssetSummary',
] as const;
const VIEWS = ['canViewDatasetUsage', 'canViewDatasetProfile', 'canViewDatasetOperations'] as const;

@ObjectType('EntityPrivileges', {
  description: 'What the caller may do with an entity, by the role of the token.',
})
export class EntityPrivileges {}
for (const name of [...EDITS, ...VIEWS])
  Field(() => Boolean, { nullable: true })(EntityPrivileges.prototype, name);

/** Of a caller who may read; `write` says whether also write. */
export function entityPrivileges(write: boolean): EntityPrivileges {
  return Object.fromEntries([
    ...EDITS.map((name) => [name, write]),
    ...VIEWS.map((name) => [name, true]),
  ]) as EntityPrivileges;
}
