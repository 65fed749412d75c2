import { registerEnumType } from '@nestjs/graphql';
import { FILTER_CONDITIONS } from '../../../catalog/search/index.js';

/** An enum of GraphQL whose values are their own names. */
function enumOf<const N extends string>(names: readonly N[]): { readonly [K in N]: K } {
  return Object.fromEntries(names.map((name) => [name, name])) as { [K in N]: K };
}

export const EntityType = enumOf([
  'ACCESS_TOKEN',
  'ACTION',
  'AGENT_SKILL',
  'AI_AGENT',
  'API',
  'APPLICATION',
  'ASSERTION',
  'BUSINESS_ATTRIBUTE',
  'CHART',
  'CONTAINER',
  'CORP_GROUP',
  'CORP_USER',
  'CUSTOM_OWNERSHIP_TYPE',
  'DASHBOARD',
  'DATAHUB_CONNECTION',
  'DATAHUB_POLICY',
  'DATAHUB_ROLE',
  'DATAHUB_VIEW',
  'DATASET',
  'DATA_CONTRACT',
  'DATA_FLOW',
  'DATA_JOB',
  'DATA_PLATFORM',
  'DATA_PLATFORM_INSTANCE',
  'DATA_PROCESS',
  'DATA_PROCESS_INSTANCE',
  'DATA_PRODUCT',
  'DATA_TYPE',
  'DOCUMENT',
  'DOMAIN',
  'ENTITY_TYPE',
  'ER_MODEL_RELATIONSHIP',
  'EXECUTION_REQUEST',
  'FILE',
  'FORM',
  'GLOBAL_SETTINGS',
  'GLOSSARY_NODE',
  'GLOSSARY_TERM',
  'INCIDENT',
  'INGESTION_SOURCE',
  'INVITE_TOKEN',
  'LIFECYCLE_STAGE_TYPE',
  'METRIC',
  'MLFEATURE',
  'MLFEATURE_TABLE',
  'MLMODEL',
  'MLMODEL_GROUP',
  'MLPRIMARY_KEY',
  'ML_MODEL_DEPLOYMENT',
  'NOTEBOOK',
  'OPEN_API_SCHEMA',
  'OTHER',
  'PAGE_MODULE',
  'PAGE_TEMPLATE',
  'PERSONA',
  'PLATFORM_RESOURCE',
  'POST',
  'QUERY',
  'REPOSITORY',
  'RESTRICTED',
  'RETENTION',
  'ROLE',
  'SCHEMA_FIELD',
  'SECRET',
  'SEMANTIC_MODEL',
  'SERVICE',
  'STEP_STATE',
  'STRUCTURED_PROPERTY',
  'TAG',
  'TELEMETRY',
  'TEST',
  'UPGRADE',
  'VERSION_SET',
]);
export type EntityType = keyof typeof EntityType;
registerEnumType(EntityType, {
  name: 'EntityType',
  description: 'Kinds of entities. OTHER stands for those that a model of your own adds.',
});

export const SubResourceType = enumOf(['DATASET_FIELD']);
export type SubResourceType = keyof typeof SubResourceType;
registerEnumType(SubResourceType, {
  name: 'SubResourceType',
  description: 'What a sub-resource is.',
  valuesMap: { DATASET_FIELD: { description: 'A column of a dataset, named by its field path.' } },
});

export const FabricType = enumOf([
  'DEV',
  'TEST',
  'QA',
  'UAT',
  'EI',
  'PRE',
  'STG',
  'NON_PROD',
  'PROD',
  'CORP',
  'RVW',
  'PRD',
  'TST',
  'SIT',
  'SBX',
  'SANDBOX',
  'CERT',
]);
export type FabricType = keyof typeof FabricType;
registerEnumType(FabricType, { name: 'FabricType', description: 'Environments.' });

export const OwnershipType = enumOf([
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'NONE',
  'CUSTOM',
  'DATAOWNER',
  'DEVELOPER',
  'DELEGATE',
  'PRODUCER',
  'CONSUMER',
  'STAKEHOLDER',
]);
export type OwnershipType = keyof typeof OwnershipType;
registerEnumType(OwnershipType, { name: 'OwnershipType', description: 'Kinds of ownership.' });

export const OwnerEntityType = enumOf(['CORP_USER', 'CORP_GROUP']);
export type OwnerEntityType = keyof typeof OwnerEntityType;
registerEnumType(OwnerEntityType, { name: 'OwnerEntityType', description: 'Who can own something.' });

export const FilterOperator = enumOf(FILTER_CONDITIONS);
export type FilterOperator = keyof typeof FilterOperator;
registerEnumType(FilterOperator, { name: 'FilterOperator', description: 'How a field is compared.' });

export const SortOrder = enumOf(['ASCENDING', 'DESCENDING']);
export type SortOrder = keyof typeof SortOrder;
registerEnumType(SortOrder, { name: 'SortOrder', description: 'Direction of a sort.' });

export const RelationshipDirection = enumOf(['INCOMING', 'OUTGOING']);
export type RelationshipDirection = keyof typeof RelationshipDirection;
registerEnumType(RelationshipDirection, {
  name: 'RelationshipDirection',
  description: 'Seen from the entity: edges that lead to it, or away from it.',
});

export const LineageDirection = enumOf(['UPSTREAM', 'DOWNSTREAM']);
export type LineageDirection = keyof typeof LineageDirection;
registerEnumType(LineageDirection, {
  name: 'LineageDirection',
  description: 'Where data comes from, or where it goes.',
});

export const SchemaFieldDataType = enumOf([
  'BOOLEAN',
  'FIXED',
  'STRING',
  'BYTES',
  'NUMBER',
  'DATE',
  'TIME',
  'ENUM',
  'NULL',
  'ARRAY',
  'MAP',
  'STRUCT',
  'UNION',
]);
export type SchemaFieldDataType = keyof typeof SchemaFieldDataType;
registerEnumType(SchemaFieldDataType, {
  name: 'SchemaFieldDataType',
  description: 'Kinds of columns, whatever their platform calls them.',
});
