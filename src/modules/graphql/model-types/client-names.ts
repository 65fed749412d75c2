/** What clients of the field know by other names than those that follow from the model. */

/** Types of entities, by the name of the entity. */
export const ENTITY_TYPES: Readonly<Record<string, string>> = {
  corpuser: 'CorpUser',
  dataHubAccessToken: 'AccessTokenEntity',
  dataHubExecutionRequest: 'ExecutionRequest',
  dataHubIngestionSource: 'IngestionSource',
  dataType: 'DataTypeEntity',
  entityType: 'EntityTypeEntity',
  erModelRelationship: 'ERModelRelationship',
  inviteToken: 'InviteTokenEntity',
  ownershipType: 'OwnershipTypeEntity',
  platformResource: 'DataHubPlatformResource',
  query: 'QueryEntity',
  schemaField: 'SchemaFieldEntity',
  structuredProperty: 'StructuredPropertyEntity',
};

/** Queries by URN, by the name of the entity. */
export const QUERIES: Readonly<Record<string, string>> = {
  corpuser: 'corpUser',
  dataHubConnection: 'connection',
  dataHubExecutionRequest: 'executionRequest',
  dataHubIngestionSource: 'ingestionSource',
};

/** Fields of aspects. */
export const ASPECT_FIELDS: Readonly<Record<string, string>> = {
  businessAttributeInfo: 'properties',
  propertyDefinition: 'definition',
};

/** Types of records and enums. */
export const RECORD_TYPES: Readonly<Record<string, string>> = {
  'knowledge.DocumentContents': 'DocumentContent',
  'common.Siblings': 'SiblingProperties',
  'module.HierarchyModuleParams': 'HierarchyViewModuleParams',
  'timeseries.CalendarInterval': 'DateInterval',
};

/** URNs that are texts under their own name; the entity is beside it, `actorEntity` for `actor`. */
export const URN_TEXTS: ReadonlySet<string> = new Set([
  'common.Operation.actor',
  'dataset.FineGrainedLineage.query',
  'settings.global.GlobalViewsSettings.defaultView',
]);

/** URNs of columns that come out as `{ urn, path }`. */
export const COLUMN_REFERENCES: ReadonlySet<string> = new Set([
  'assertion.CustomAssertionInfo.field',
  'assertion.DatasetAssertionInfo.fields',
  'dataset.FineGrainedLineage.downstreams',
  'dataset.FineGrainedLineage.upstreams',
]);

/** Types of entities that URNs name where the model does not say it. */
export const URN_TARGETS: Readonly<Record<string, string>> = {
  'identity.CorpUserViewsSettings.defaultView': 'dataHubView',
  'schema.ForeignKeyConstraint.foreignFields': 'schemaField',
  'schema.ForeignKeyConstraint.sourceFields': 'schemaField',
  'settings.global.GlobalHomePageSettings.defaultTemplate': 'dataHubPageTemplate',
};

/** Further names of properties, beside their own. */
export const MORE_NAMES: Readonly<Record<string, string>> = { globalTags: 'tags' };

interface Lifted {
  readonly aspect: string;
  readonly names?: Readonly<Record<string, string>>;
  /** Those that clients know in another form. */
  readonly not?: readonly string[];
}

/** Entities that have the properties of an aspect as fields of their own, some of them under another name. */
export const LIFTED: Readonly<Record<string, Lifted>> = {
  dataHubPolicy: { aspect: 'dataHubPolicyInfo' },
  dataHubRole: { aspect: 'dataHubRoleInfo' },
  dataProcessInstance: { aspect: 'dataProcessInstanceProperties' },
  incident: {
    aspect: 'incidentInfo',
    names: { type: 'incidentType', status: 'incidentStatus' },
    not: ['assignees', 'priority'],
  },
  post: { aspect: 'postInfo', names: { type: 'postType' }, not: ['lastModified'] },
  test: { aspect: 'testInfo' },
};

/**
 * Time series whose events come in an object that also counts them: its type, the member that holds the events, and the
 * counts by the value at a path of an event.
 */
export const COUNTED_EVENTS: Readonly<Record<string, CountedEvents>> = {
  assertionRunEvent: {
    type: 'AssertionRunEventsResult',
    member: 'runEvents',
    path: ['result', 'type'],
    counts: { succeeded: 'SUCCESS', failed: 'FAILURE', errored: 'ERROR' },
  },
};

export interface CountedEvents {
  readonly type: string;
  readonly member: string;
  readonly path: readonly string[];
  readonly counts: Readonly<Record<string, string>>;
}
