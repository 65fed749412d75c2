interface Exceptions {
  reason: string;
  /** Whether there is nothing of the name; else it is of another type. */
  missing: boolean;
  /** Whether it is as clients know it where CATALOG_COMPATIBILITY is reference. */
  inReference: boolean;
  coordinates: readonly string[];
}

/** What clients name in GraphQL and the service answers otherwise or not at all, each with the reason. */
const EXCEPTIONS: readonly Exceptions[] = [
  {
    reason: 'stands with another type, which people use',
    missing: false,
    inReference: true,
    coordinates: [
      'CorpUser.status: CorpUserStatus',
      'DataHubViewDefinition.entityTypes: [EntityType!]!',
      'DataHubViewDefinition.filter: DataHubViewFilter!',
      'DataPlatformProperties.type: PlatformType!',
      'DataTypeInfo.type: StdDataType!',
      'InstitutionalMemoryMetadata.actor: ResolvedActor!',
      'MLModelProperties.mlFeatures: [String!]',
      'MLModelProperties.version: String',
      'Operation.customProperties: [StringMapEntry!]',
      'SiblingProperties.siblings: [Entity]',
      'StructuredPropertyDefinition.allowedPlatforms: [DataPlatform!]',
    ],
  },
  {
    reason:
      'null where an entity that something refers to has no such aspect: an error would take the answer around it along',
    missing: false,
    inReference: false,
    coordinates: [
      'DataHubConnection.details: DataHubConnectionDetails!',
      'DataHubPageModule.properties: DataHubPageModuleProperties!',
      'DataHubPageTemplate.properties: DataHubPageTemplateProperties!',
      'DataHubRole.description: String!',
      'DataHubView.definition: DataHubViewDefinition!',
      'DataHubView.viewType: DataHubViewType!',
      'Incident.created: AuditStamp!',
      'Incident.entity: Entity!',
      'Incident.incidentStatus: IncidentStatus!',
      'Incident.incidentType: IncidentType!',
      'Post.content: PostContent!',
      'Post.postType: PostType!',
      'QuerySubject.dataset: Dataset!',
      'StructuredPropertyEntity.definition: StructuredPropertyDefinition!',
      'Test.category: String!',
      'Test.definition: TestDefinition!',
    ],
  },
  {
    reason: 'the values of a field that stands with another type',
    missing: true,
    inReference: true,
    coordinates: [
      'DataHubViewFilter.filters: [FacetFilter!]!',
      'DataHubViewFilter.operator: LogicalOperator!',
      'StdDataType.DATE',
      'StdDataType.NUMBER',
      'StdDataType.OTHER',
      'StdDataType.RICH_TEXT',
      'StdDataType.STRING',
      'StdDataType.URN',
    ],
  },
  {
    reason: 'the latest is all that a term has',
    missing: false,
    inReference: false,
    coordinates: ['GlossaryTerm.schemaMetadata(version: Long): SchemaMetadata'],
  },
  {
    reason: 'no value has it: the model knows where something comes from, or does not say',
    missing: true,
    inReference: false,
    coordinates: ['OriginType.UNKNOWN'],
  },
];

type Exception = [coordinate: string, reason: string, missing: boolean, inReference: boolean];

/** Each exception with its reason, and whether there is nothing of the name. */
export function exceptions(): Exception[] {
  return EXCEPTIONS.flatMap(({ reason, missing, inReference, coordinates }) =>
    coordinates.map((coordinate): Exception => [coordinate, reason, missing, inReference]),
  );
}
