import { registerEnumType } from '@nestjs/graphql';
import { FILTER_CONDITIONS } from '../../../catalog/search/index.js';

/** An enum of GraphQL whose values are their own names. */
export function enumOf<const N extends string>(names: readonly N[]): { readonly [K in N]: K } {
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
  'CONNECTION',
  'CONTAINER',
  'CORP_GROUP',
  'CORP_USER',
  'CUSTOM_OWNERSHIP_TYPE',
  'DASHBOARD',
  'DATAHUB_CONNECTION',
  'DATAHUB_FILE',
  'DATAHUB_PAGE_MODULE',
  'DATAHUB_PAGE_TEMPLATE',
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
  'OWNERSHIP_TYPE',
  'PAGE_MODULE',
  'PAGE_TEMPLATE',
  'PERSONA',
  'PLATFORM_RESOURCE',
  'POLICY',
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
  'VIEW',
]);
export type EntityType = keyof typeof EntityType;
registerEnumType(EntityType, {
  name: 'EntityType',
  description: 'Kinds of entities. OTHER stands for those that a model of your own adds.',
  valuesMap: {
    CONNECTION: { description: 'DATAHUB_CONNECTION, under the name that some clients ask with.' },
    DATAHUB_FILE: { description: 'FILE, under the name that some clients ask with.' },
    DATAHUB_PAGE_MODULE: { description: 'PAGE_MODULE, under the name that some clients ask with.' },
    DATAHUB_PAGE_TEMPLATE: { description: 'PAGE_TEMPLATE, under the name that some clients ask with.' },
    OWNERSHIP_TYPE: { description: 'CUSTOM_OWNERSHIP_TYPE, under the name that some clients ask with.' },
    POLICY: { description: 'DATAHUB_POLICY, under the name that some clients ask with.' },
    VIEW: { description: 'DATAHUB_VIEW, under the name that some clients ask with.' },
  },
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

export const SubResourceType = enumOf(['DATASET_FIELD']);
export type SubResourceType = keyof typeof SubResourceType;
registerEnumType(SubResourceType, {
  name: 'SubResourceType',
  description: 'What a sub-resource is.',
  valuesMap: { DATASET_FIELD: { description: 'A column of a dataset, named by its field path.' } },
});

export const FilterOperator = enumOf(FILTER_CONDITIONS);
export type FilterOperator = keyof typeof FilterOperator;
registerEnumType(FilterOperator, { name: 'FilterOperator', description: 'How a field is compared.' });
