import {
  GraphQLList,
  GraphQLNonNull,
  getNamedType,
  isObjectType,
  Kind,
  parseType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type TypeNode,
} from 'graphql';

/**
 * Fields that the model makes with another nullability than clients know. Their documents select them beside fields of
 * the same name on other types, and GraphQL refuses that where one of both may be null and the other may not.
 */
const KNOWN: readonly string[] = [
  'BusinessAttributeInfo.customProperties: [CustomPropertiesEntry!]',
  'CorpUserEditableInfo.pictureLink: String',
  'CorpUserEditableInfo.skills: [String!]',
  'CorpUserEditableInfo.teams: [String!]',
  'CorpUserHomePageSettings.dismissedAnnouncementUrns: [String]',
  'CorpUserSettings.appearance: CorpUserAppearanceSettings',
  'DataHubPageModuleVisibility.scope: PageModuleScope',
  'DataHubPageTemplateSurface.surfaceType: PageTemplateSurfaceType',
  'DataHubPageTemplateVisibility.scope: PageTemplateScope',
  'DataProcessInstanceProperties.customProperties: [CustomPropertiesEntry!]',
  'DataProcessInstanceRunResult.nativeResultType: String',
  'DocumentInfo.customProperties: [CustomPropertiesEntry!]',
  'ERModelRelationshipProperties.destination: Dataset!',
  'ERModelRelationshipProperties.relationshipFieldMappings: [RelationshipFieldMapping!]',
  'ERModelRelationshipProperties.source: Dataset!',
  'ForeignKeyConstraint.foreignFields: [SchemaFieldEntity]',
  'ForeignKeyConstraint.name: String',
  'ForeignKeyConstraint.sourceFields: [SchemaFieldEntity]',
  'IconProperties.iconLibrary: IconLibrary',
  'IconProperties.name: String',
  'IconProperties.style: String',
  'InputField.schemaFieldUrn: String',
  'InputFields.fields: [InputField]',
  'MLFeatureProperties.sources: [Dataset]',
  'MLFeatureTableProperties.mlFeatures: [MLFeature]',
  'MLFeatureTableProperties.mlPrimaryKeys: [MLPrimaryKey]',
  'MLHyperParam.name: String',
  'MLMetric.name: String',
  'MLPrimaryKeyProperties.sources: [Dataset]',
  'MLTrainingRunProperties.hyperParams: [MLHyperParam]',
  'MLTrainingRunProperties.outputUrls: [String]',
  'MLTrainingRunProperties.trainingMetrics: [MLMetric]',
  'OwnershipTypeInfo.created: AuditStamp',
  'OwnershipTypeInfo.lastModified: AuditStamp',
  'PartitionSpec.partition: String',
  'QueryProperties.customProperties: [CustomPropertiesEntry!]',
  'RoleAssociation.role: Role!',
  'RoleProperties.type: String',
  'SchemaAssertionInfo.schema: SchemaMetadata',
  'SchemaMetadata.foreignKeys: [ForeignKeyConstraint]',
  'SiblingProperties.isPrimary: Boolean',
  'BusinessAttributeAssociation.businessAttribute: BusinessAttribute!',
  'VersionProperties.versionSet: VersionSet!',
];

/** Values of fields that clients expect to be there and the model may leave out. */
const ABSENT: Readonly<Record<string, unknown>> = {
  'HierarchyViewModuleParams.assetUrns: [String!]!': [],
  'SchemaAssertionInfo.compatibility: SchemaAssertionCompatibility!': 'EXACT_MATCH',
  'VersionProperties.isLatest: Boolean!': false,
};

/** Gives the fields of types the nullability that clients know. */
export function asClientsKnow(types: ReadonlyMap<string, GraphQLNamedType>): void {
  for (const line of KNOWN) declare(types, line);
  for (const [line, absent] of Object.entries(ABSENT)) {
    const field = declare(types, line);
    if (!field) continue;
    const { resolve, name } = field;
    field.resolve = (source, given, context, info) => {
      const value: unknown = resolve
        ? resolve(source, given, context, info)
        : (source as Readonly<Record<string, unknown>>)[name];
      return value ?? absent;
    };
  }
}

/** A model of your own may lack the type. */
function declare(
  types: ReadonlyMap<string, GraphQLNamedType>,
  line: string,
): GraphQLField<unknown, unknown> | undefined {
  const [, typeName = '', fieldName = '', of = ''] = /^(\w+)\.(\w+): (.*)$/.exec(line) ?? [];
  const type = types.get(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (field) field.type = wrapped(getNamedType(field.type), parseType(of));
  return field;
}

function wrapped(named: GraphQLOutputType, as: TypeNode): GraphQLOutputType {
  if (as.kind === Kind.NON_NULL_TYPE)
    return new GraphQLNonNull(wrapped(named, as.type) as GraphQLList<GraphQLOutputType>);
  return as.kind === Kind.LIST_TYPE ? new GraphQLList(wrapped(named, as.type)) : named;
}
