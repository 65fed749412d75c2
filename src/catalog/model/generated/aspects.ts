// Generated from the model by "npm run generate"; do not edit.
//
// The shapes of stored values: a field with a default is always there. Members of unions are named after records,
// under any namespace.

/** The skills, tools and models an AI agent uses. */
export interface AIAgentDependencies {
  skills?: Array<string>;
  tools?: Array<string>;
  models?: Array<string>;
}

/** Name, purpose and instructions of an AI agent. */
export interface AIAgentInfo {
  name: string;
  tagline?: string;
  description?: string;
  instructions?: string;
  source?: AIAgentSource;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

/** Identity of an AI agent. */
export interface AIAgentKey {
  id: string;
}

export interface AIAgentSource {
  type: AIAgentSourceType;
  clonedFrom?: string;
}

export type AIAgentSourceType = 'SYSTEM' | 'NATIVE' | 'EXTERNAL';

/** The roles through which one can get access to an asset. */
export interface Access {
  /** Roles of outside systems that grant access. */
  roles?: Array<RoleAssociation>;
}

/** Who can see a chart or dashboard. */
export type AccessLevel = 'PUBLIC' | 'PRIVATE';

/** The users and groups that hold an access role. */
export interface Actors {
  users?: Array<RoleUser>;
  groups?: Array<RoleGroup>;
}

/** Name and instructions of an agent skill, and the tools it needs. */
export interface AgentSkillInfo {
  name: string;
  description?: string;
  instructions?: string;
  sourceRepository?: SkillSourceRepository;
  requiredTools?: Array<string>;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified?: AuditStamp;
}

/** Identity of an agent skill. */
export interface AgentSkillKey {
  id: string;
}

/** What AI models are told about an entity, so that they find and use it rightly. */
export interface AiContext {
  /** Other names and abbreviations. */
  synonyms?: Array<string>;
  /** How it is to be understood. */
  instructions?: string;
  /** Values or uses as examples. */
  examples?: Array<string>;
  /** Further instructions. */
  customInstructions?: string;
}

/** Other identifiers under which references name an entity. */
export interface Aliases {
  /** The URN with its name in small letters. */
  lowercasedUrn?: string;
}

/** Identity of an operation. */
export interface ApiKey {
  id: string;
}

/** Name and description of an operation. */
export interface ApiProperties {
  name: string;
  description?: string;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  sourceRepository?: string;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified?: AuditStamp;
}

/** What an operation takes and returns, and the datasets it touches. */
export interface ApiSignature {
  schemaDefinition?: string;
  inputFields?: Array<SchemaField>;
  outputFields?: Array<SchemaField>;
  inputDatasetEdges?: Array<Edge>;
  outputDatasetEdges?: Array<Edge>;
}

/** Identity of an application. */
export interface ApplicationKey {
  id: string;
}

/** What an application reads and what it writes. */
export interface ApplicationLineage {
  inputEdges?: Array<Edge>;
  outputEdges?: Array<Edge>;
}

/** Name and description of an application. */
export interface ApplicationProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name?: string;
  description?: string;
  parentApplication?: string;
}

/** The applications an entity belongs to. */
export interface Applications {
  /** URNs of the applications that the entity is part of. */
  applications: Array<string>;
}

export interface ApplicationsSettings {
  enabled: boolean;
  config?: string;
  configVersion?: string;
}

/** A list of values. */
export interface ArrayType {
  /** Types of the elements, from the outside in. */
  nestedType?: Array<string>;
}

export interface AssertionAction {
  type: AssertionActionType;
}

export type AssertionActionType = 'RAISE_INCIDENT' | 'RESOLVE_INCIDENT';

/** What to do when an assertion passes or fails. */
export interface AssertionActions {
  onSuccess: Array<AssertionAction>;
  onFailure: Array<AssertionAction>;
}

export interface AssertionFailureSeverityConfig {
  defaultSeverity: AssertionResultSeverity;
  rules: Array<AssertionFailureSeverityRule>;
}

export interface AssertionFailureSeverityRule {
  severity: AssertionResultSeverity;
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
}

/** What an assertion checks, and on which asset. */
export interface AssertionInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  type: AssertionType;
  /** @deprecated */
  datasetAssertion?: DatasetAssertionInfo;
  freshnessAssertion?: FreshnessAssertionInfo;
  volumeAssertion?: VolumeAssertionInfo;
  sqlAssertion?: SqlAssertionInfo;
  fieldAssertion?: FieldAssertionInfo;
  schemaAssertion?: SchemaAssertionInfo;
  customAssertion?: CustomAssertionInfo;
  source?: AssertionSource;
  lastUpdated?: AuditStamp;
  description?: string;
  /** @deprecated */
  note?: AssertionNote;
  entityUrn?: string;
}

/** Identity of an assertion. */
export interface AssertionKey {
  assertionId: string;
}

/** A note of people on an assertion, such as what to do when it fails. */
export interface AssertionNote {
  /** The note; markdown is kept as it is. */
  content: string;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
}

export interface AssertionResult {
  type: AssertionResultType;
  severity?: AssertionResultSeverity;
  rowCount?: number;
  missingCount?: number;
  unexpectedCount?: number;
  actualAggValue?: number;
  nativeResults?: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  error?: AssertionResultError;
}

export interface AssertionResultError {
  type: AssertionResultErrorType;
  properties?: Record<string, string>;
}

export type AssertionResultErrorType =
  | 'SOURCE_CONNECTION_ERROR'
  | 'SOURCE_QUERY_FAILED'
  | 'INSUFFICIENT_DATA'
  | 'INVALID_PARAMETERS'
  | 'INVALID_SOURCE_TYPE'
  | 'UNSUPPORTED_PLATFORM'
  | 'CUSTOM_SQL_ERROR'
  | 'FIELD_ASSERTION_ERROR'
  | 'UNKNOWN_ERROR';

export type AssertionResultSeverity = 'LOW' | 'MEDIUM' | 'HIGH';

export type AssertionResultType = 'INIT' | 'SUCCESS' | 'FAILURE' | 'ERROR';

/** The result of one evaluation of an assertion. */
export interface AssertionRunEvent {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  runId: string;
  asserteeUrn: string;
  status: AssertionRunStatus;
  result?: AssertionResult;
  runtimeContext?: Record<string, string>;
  batchSpec?: BatchSpec;
  assertionUrn: string;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
}

export type AssertionRunStatus = 'COMPLETE';

/** When an assertion last passed, failed and so on, as a job derived it from its runs. */
export interface AssertionRunSummary {
  /** When it last failed, in epoch milliseconds. */
  lastFailedAtMillis?: number;
  /** When a run last ended with an error. */
  lastErroredAtMillis?: number;
  /** When it last passed. */
  lastPassedAtMillis?: number;
  /** When it last had no result yet. */
  lastInitializedAtMillis?: number;
  /** What the last run came to. */
  assertionStatus?: AssertionStatus;
}

export interface AssertionSource {
  type: AssertionSourceType;
  /** When it was created, and by whom. */
  created?: AuditStamp;
}

export type AssertionSourceType = 'NATIVE' | 'EXTERNAL' | 'INFERRED';

export type AssertionStatus = 'PASSING' | 'FAILING' | 'ERROR' | 'INIT';

export type AssertionStdAggregation =
  | 'ROW_COUNT'
  | 'COLUMNS'
  | 'COLUMN_COUNT'
  | 'IDENTITY'
  | 'MEAN'
  | 'MEDIAN'
  | 'UNIQUE_COUNT'
  | 'UNIQUE_PROPORTION'
  | 'UNIQUE_PROPOTION'
  | 'NULL_COUNT'
  | 'NULL_PROPORTION'
  | 'STDDEV'
  | 'MIN'
  | 'MAX'
  | 'SUM'
  | '_NATIVE_';

export type AssertionStdOperator =
  | 'BETWEEN'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL_TO'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL_TO'
  | 'EQUAL_TO'
  | 'NOT_EQUAL_TO'
  | 'NULL'
  | 'NOT_NULL'
  | 'CONTAIN'
  | 'END_WITH'
  | 'START_WITH'
  | 'REGEX_MATCH'
  | 'IN'
  | 'NOT_IN'
  | 'IS_TRUE'
  | 'IS_FALSE'
  | '_NATIVE_';

export interface AssertionStdParameter {
  value: string;
  type: AssertionStdParameterType;
}

export type AssertionStdParameterType = 'STRING' | 'NUMBER' | 'LIST' | 'SET' | 'UNKNOWN';

export interface AssertionStdParameters {
  value?: AssertionStdParameter;
  maxValue?: AssertionStdParameter;
  minValue?: AssertionStdParameter;
}

export type AssertionType = 'DATASET' | 'FRESHNESS' | 'VOLUME' | 'SQL' | 'FIELD' | 'DATA_SCHEMA' | 'CUSTOM';

export type AssertionValueChangeType = 'ABSOLUTE' | 'PERCENTAGE';

export interface AssetCollectionModuleParams {
  assetUrns: Array<string>;
  dynamicFilterJson?: string;
}

/** How the page of an asset is laid out. */
export interface AssetSettings {
  /** What the summary page of the asset shows. */
  assetSummary?: AssetSummarySettings;
}

/** What a summary page shows. */
export interface AssetSummarySettings {
  /** Templates of the page. */
  templates?: Array<AssetSummarySettingsTemplate>;
}

/** A template of a summary page. */
export interface AssetSummarySettingsTemplate {
  /** URN of the page template. */
  template: string;
}

/** Who did something, and when. */
export interface AuditStamp {
  /** When, in epoch milliseconds. */
  time: number;
  /** Who did it. */
  actor: string;
  /** Who acted in the name of the actor. */
  impersonator?: string;
  /** Why it was done, as free text. */
  message?: string;
}

/** Kinds of jobs that Azkaban runs. */
export type AzkabanJobType = 'COMMAND' | 'HADOOP_JAVA' | 'HADOOP_SHELL' | 'HIVE' | 'PIG' | 'SQL' | 'GLUE';

export interface BaseData {
  dataset: string;
  motivation?: string;
  preProcessing?: Array<string>;
}

export interface BatchSpec {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  nativeBatchId?: string;
  query?: string;
  limit?: number;
}

/** A binary JSON schema as it was written. */
export interface BinaryJsonSchema {
  /** The schema as the platform writes it. */
  schema: string;
}

/** True or false. */
export type BooleanType = Record<string, never>;

/** One entry of a browse path. */
export interface BrowsePathEntry {
  /** Text of the entry. */
  id: string;
  /** The entity behind the entry, when there is one. */
  urn?: string;
}

/** Paths under which an entity is found when browsing, as text (older form). */
export interface BrowsePaths {
  /** Paths with slashes between their parts, starting with a slash. */
  paths: Array<string>;
}

/** The path under which an entity is found when browsing, entry by entry. */
export interface BrowsePathsV2 {
  /** The entries from the top down. */
  path: Array<BrowsePathEntry>;
}

export interface BucketStorageLocation {
  storageBucket: string;
  storageKey: string;
}

export interface BusinessAttributeAssociation {
  businessAttributeUrn: string;
}

/** Name, type, tags and terms of a business attribute. */
export interface BusinessAttributeInfo {
  fieldPath: string;
  description?: string;
  globalTags?: GlobalTags;
  glossaryTerms?: GlossaryTerms;
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  name: string;
  type?: SchemaFieldDataType;
}

/** Identity of a business attribute. */
export interface BusinessAttributeKey {
  id: string;
}

/** The business attribute attached to a column. */
export interface BusinessAttributes {
  businessAttribute?: BusinessAttributeAssociation;
}

/** Bytes of any length. */
export type BytesType = Record<string, never>;

/** Units of time that follow the calendar. */
export type CalendarInterval = 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';

export interface CaveatDetails {
  needsFurtherTesting?: boolean;
  caveatDescription?: string;
  groupsNotRepresented?: Array<string>;
}

/** Caveats and advice for users of a model. */
export interface CaveatsAndRecommendations {
  caveats?: CaveatDetails;
  recommendations?: string;
  idealDatasetCharacteristics?: Array<string>;
}

/** When something was created, last changed and removed, and by whom. */
export interface ChangeAuditStamps {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
}

export interface ChartCell {
  cellTitle?: string;
  cellId: string;
  changeAuditStamps: ChangeAuditStamps;
}

/** Title, description and inputs of a chart as its tool reports them. */
export interface ChartInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** Title of the chart. */
  title: string;
  /** What the chart shows. */
  description: string;
  /** When the chart was created and last changed in its tool. */
  lastModified: ChangeAuditStamps;
  /** Address of the chart. */
  chartUrl?: string;
  /** Datasets the chart is made from, each wrapped as a string member; inputEdges replaces it. @deprecated */
  inputs?: Array<{ string: string }>;
  /** Datasets and charts the chart is made from. */
  inputEdges?: Array<Edge>;
  /** Kind of visualisation. */
  type?: ChartType;
  /** Who can see the chart. */
  access?: AccessLevel;
  /** When the data of the chart was last refreshed, in epoch milliseconds. */
  lastRefreshed?: number;
}

/** Identity of a chart, the tool and the chart id in it. */
export interface ChartKey {
  /** The tool the chart belongs to. */
  dashboardTool: string;
  /** Id of the chart in that tool. */
  chartId: string;
}

/** The query behind a chart. */
export interface ChartQuery {
  /** The text of the query. */
  rawQuery: string;
  /** The language of the query. */
  type: ChartQueryType;
}

/** Languages in which charts are queried. */
export type ChartQueryType = 'LOOKML' | 'SQL';

/** The kind of visualisation. */
export type ChartType =
  | 'BAR'
  | 'PIE'
  | 'SCATTER'
  | 'TABLE'
  | 'TEXT'
  | 'LINE'
  | 'AREA'
  | 'HISTOGRAM'
  | 'BOX_PLOT'
  | 'WORD_CLOUD'
  | 'COHORT';

/** How much a chart was viewed, and by whom. */
export interface ChartUsageStatistics {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** How often it was viewed. */
  viewsCount?: number;
  /** How many users viewed it. */
  uniqueUserCount?: number;
  /** The same by user. */
  userCounts?: Array<ChartUserUsageCounts>;
}

/** How often one user viewed a chart. */
export interface ChartUserUsageCounts {
  /** URN of the user. */
  user: string;
  /** How often the user viewed it. */
  viewsCount?: number;
}

export interface CliVersionAudit {
  source: CliVersionSource;
  serverVersion?: string;
}

export type CliVersionSource =
  | 'SOURCE_CONFIG_OVERRIDE'
  | 'MATRIX_COHORT'
  | 'MATRIX_CONNECTOR_DEFAULT'
  | 'APPLICATION_DEFAULT';

export type CompressionType = 'NONE' | 'GZIP';

export type Condition =
  | 'CONTAIN'
  | 'END_WITH'
  | 'EQUAL'
  | 'IEQUAL'
  | 'IS_NULL'
  | 'EXISTS'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL_TO'
  | 'IN'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL_TO'
  | 'START_WITH'
  | 'DESCENDANTS_INCL'
  | 'ANCESTORS_INCL'
  | 'RELATED_INCL';

export interface ConjunctiveCriterion {
  and: Array<Criterion>;
}

/** The container an entity lies in. */
export interface Container {
  /** URN of the container one level up. */
  container: string;
}

/** Identity of a container. */
export interface ContainerKey {
  /** Id of the container, mostly a digest of where it lies. */
  guid?: string;
}

/** Name and description of a container as its platform reports them. */
export interface ContainerProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** What the container is called. */
  name: string;
  /** Its name with those of all containers around it. */
  qualifiedName?: string;
  /** What it holds, as the platform reports. */
  description?: string;
  /** Environment it belongs to. */
  env?: FabricType;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
}

/** Description and contact of a group as people wrote them in the catalog. */
export interface CorpGroupEditableInfo {
  /** What people wrote about the group; wins over what the directory says. */
  description?: string;
  /** Address of a picture of the group. */
  pictureLink: string;
  /** Channel of the group on Slack. */
  slack?: string;
  /** Mail address of the group. */
  email?: string;
}

/** A group as the directory knows it, with its members and subgroups. */
export interface CorpGroupInfo {
  /** Name shown for the group. */
  displayName?: string;
  /** Email address of the group. */
  email?: string;
  /** Users who manage the group; ownership replaces it. @deprecated */
  admins: Array<string>;
  /** Users in the group; the membership aspects of users replace it. @deprecated */
  members: Array<string>;
  /** Groups inside the group. @deprecated */
  groups: Array<string>;
  /** What the group is for. */
  description?: string;
  /** Slack channel of the group. */
  slack?: string;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
}

/** Identity of a group. */
export interface CorpGroupKey {
  /** Name of the group. */
  name: string;
}

/** How the catalog looks to a user. */
export interface CorpUserAppearanceSettings {
  /** Whether the home page shows little more than a search. */
  showSimplifiedHomepage?: boolean;
  /** Whether the newer look is shown. */
  showThemeV2?: boolean;
}

/** The salted password hash of a user. */
export interface CorpUserCredentials {
  /** What the password was mixed with before it was hashed. */
  salt: string;
  /** Hash of the password. */
  hashedPassword: string;
  /** Token with which a new password may be set. */
  passwordResetToken?: string;
  /** Until when that token holds, epoch milliseconds. */
  passwordResetTokenExpirationTimeMillis?: number;
}

/** What a user says about themselves in the catalog. */
export interface CorpUserEditableInfo {
  /** What users write about themselves. */
  aboutMe?: string;
  /** Names of the teams the user works in. */
  teams: Array<string>;
  /** What the user knows about. */
  skills: Array<string>;
  /** Address of a picture of the user. */
  pictureLink: string;
  /** What the user wants to be called; wins over what the directory says. */
  displayName?: string;
  /** The position of the user. */
  title?: string;
  /** URNs of the platforms the user works with. */
  platforms?: Array<string>;
  /** URN of the persona that fits the user. */
  persona?: string;
  /** The user's name on Slack. */
  slack?: string;
  /** The user's phone number. */
  phone?: string;
  /** The user's mail address. */
  email?: string;
  /** URNs of the installations that the texts come from. */
  informationSources?: Array<string>;
}

/** What a home page shows. */
export interface CorpUserHomePageSettings {
  /** URN of the page template that the user has made. */
  pageTemplate?: string;
  /** URNs of announcements that the user has put away. */
  dismissedAnnouncements?: Array<string>;
}

/** A user as the directory knows them, with name, title and email. */
export interface CorpUserInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Whether the person may still sign in. */
  active: boolean;
  /** Name shown for the user. */
  displayName?: string;
  /** Email address. */
  email?: string;
  /** Job title. */
  title?: string;
  /** The direct manager. */
  managerUrn?: string;
  /** Number of the department. */
  departmentId?: number;
  /** Name of the department. */
  departmentName?: string;
  /** Given name of the user. */
  firstName?: string;
  /** Family name of the user. */
  lastName?: string;
  /** First and last name together. */
  fullName?: string;
  /** Two-letter code of the country. */
  countryCode?: string;
  /** Whether the account belongs to a system, not a person. */
  system?: boolean;
  /** Whether the account belongs to support staff. */
  isSupportUser?: boolean;
}

/** Identity of a user. */
export interface CorpUserKey {
  /** Name by which the user signs in. */
  username: string;
}

/** The language a user reads. */
export interface CorpUserLocaleSettings {
  /** Code of the language, such as en. */
  language?: string;
}

/** How a user wants the catalog to look and to notify them. */
export interface CorpUserSettings {
  /** How the catalog looks to the user. */
  appearance: CorpUserAppearanceSettings;
  /** Which view the user begins with. */
  views?: CorpUserViewsSettings;
  /** How the user wants to be told of things. */
  notificationSettings?: NotificationSettings;
  /** What the user's home page shows. */
  homePage?: CorpUserHomePageSettings;
  /** The language the user reads. */
  locale?: CorpUserLocaleSettings;
}

/** Whether the account of a user is active, invited or suspended. */
export interface CorpUserStatus {
  /** State of the account, such as ACTIVE or SUSPENDED. */
  status: string;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
}

/** The views of a user. */
export interface CorpUserViewsSettings {
  /** URN of the view that searches begin with. */
  defaultView?: string;
}

/** What an asset costs and to whom it is charged. */
export interface Cost {
  costType: CostType;
  cost: CostCost;
}

export interface CostCost {
  costId?: number;
  costCode?: string;
  fieldDiscriminator?: CostCostDiscriminator;
}

export type CostCostDiscriminator = 'costId' | 'costCode';

export type CostType = 'ORG_COST_TYPE';

export interface Criterion {
  field: string;
  values: Array<string>;
  condition: Condition;
  negated: boolean;
}

export interface CustomAssertionInfo {
  type: string;
  entity: string;
  /** @deprecated */
  field?: string;
  fields?: Array<string>;
  scope?: DatasetAssertionScope;
  aggregation?: AssertionStdAggregation;
  operator?: AssertionStdOperator;
  parameters?: AssertionStdParameters;
  nativeType?: string;
  nativeParameters?: Record<string, string>;
  logic?: string;
}

/** Title, description and content of a dashboard as its tool reports them. */
export interface DashboardInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** Title of the dashboard. */
  title: string;
  /** What the dashboard shows. */
  description: string;
  /** Charts on the dashboard; chartEdges replaces it. @deprecated */
  charts: Array<string>;
  /** Charts on the dashboard, with when each was added. */
  chartEdges?: Array<Edge>;
  /** Datasets the dashboard reads; datasetEdges replaces it. @deprecated */
  datasets: Array<string>;
  /** Datasets the dashboard reads, with when each was added. */
  datasetEdges?: Array<Edge>;
  /** Dashboards inside the dashboard. */
  dashboards: Array<Edge>;
  /** When the dashboard was created and last changed in its tool. */
  lastModified: ChangeAuditStamps;
  /** Address of the dashboard. */
  dashboardUrl?: string;
  /** Who can see the dashboard. */
  access?: AccessLevel;
  /** When the data of the dashboard was last refreshed, in epoch milliseconds. */
  lastRefreshed?: number;
}

/** Identity of a dashboard, the tool and the dashboard id in it. */
export interface DashboardKey {
  /** The tool the dashboard belongs to. */
  dashboardTool: string;
  /** Id of the dashboard in that tool. */
  dashboardId: string;
}

/** How much a dashboard was viewed and run, and by whom. */
export interface DashboardUsageStatistics {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** How often it was viewed. */
  viewsCount?: number;
  /** How often it was run or refreshed. */
  executionsCount?: number;
  /** How many users viewed it. */
  uniqueUserCount?: number;
  /** The same by user. */
  userCounts?: Array<DashboardUserUsageCounts>;
  /** How many users have it among their favourites. */
  favoritesCount?: number;
  /** When it was last viewed, epoch milliseconds. */
  lastViewedAt?: number;
}

/** How often one user used a dashboard. */
export interface DashboardUserUsageCounts {
  /** URN of the user. */
  user: string;
  /** How often the user viewed it. */
  viewsCount?: number;
  /** How often the user ran or refreshed it. */
  executionsCount?: number;
  /** How often the user used it in any way. */
  usageCount?: number;
  /** Mail address of the user, where the tool knows no more. */
  userEmail?: string;
}

/** Identity of a data contract. */
export interface DataContractKey {
  id: string;
}

/** The dataset of a contract and the assertions that make it up. */
export interface DataContractProperties {
  entity: string;
  schema?: Array<SchemaContract>;
  freshness?: Array<FreshnessContract>;
  dataQuality?: Array<DataQualityContract>;
  rawContract?: string;
}

export type DataContractState = 'ACTIVE' | 'PENDING';

/** Whether a contract is active. */
export interface DataContractStatus {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  state: DataContractState;
}

/** Name, description and project of a data flow. */
export interface DataFlowInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** Name of the pipeline. */
  name: string;
  /** What the pipeline does, as its tool reports. */
  description?: string;
  /** The project that the pipeline is part of. */
  project?: string;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
  /** Environment it runs in. */
  env?: FabricType;
}

/** Identity of a data flow, its orchestrator, id and cluster. */
export interface DataFlowKey {
  /** Name of the tool that runs the pipeline, such as airflow. */
  orchestrator: string;
  /** Id of the pipeline, unique in its tool and cluster. */
  flowId: string;
  /** Where it runs, such as PROD or the name of an installation. */
  cluster: string;
}

/** Whose access token it is, what for, and until when it is valid. */
export interface DataHubAccessTokenInfo {
  name: string;
  actorUrn: string;
  ownerUrn: string;
  createdAt: number;
  expiresAt?: number;
  description?: string;
}

/** Identity of an access token. */
export interface DataHubAccessTokenKey {
  id: string;
}

/** Identity of an automation. */
export interface DataHubActionKey {
  id: string;
}

export interface DataHubActorFilter {
  users?: Array<string>;
  groups?: Array<string>;
  resourceOwners: boolean;
  resourceOwnersTypes?: Array<string>;
  allUsers: boolean;
  allGroups: boolean;
  roles?: Array<string>;
}

/** Kind of a connection and its encrypted details. */
export interface DataHubConnectionDetails {
  type: DataHubConnectionDetailsType;
  name?: string;
  json?: DataHubJsonConnection;
}

export type DataHubConnectionDetailsType = 'JSON';

/** Identity of a connection. */
export interface DataHubConnectionKey {
  id: string;
}

/** Name, type, size and place of an uploaded file. */
export interface DataHubFileInfo {
  bucketStorageLocation: BucketStorageLocation;
  originalFileName: string;
  mimeType: string;
  sizeInBytes: number;
  scenario: FileUploadScenario;
  referencedByAsset?: string;
  schemaField?: string;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  contentHash?: string;
}

/** Identity of an uploaded file. */
export interface DataHubFileKey {
  id: string;
}

export interface DataHubIngestionSourceConfig {
  recipe: string;
  version?: string;
  executorId?: string;
  debugMode?: boolean;
  extraArgs?: Record<string, string>;
}

/** Recipe and schedule of an ingestion source. */
export interface DataHubIngestionSourceInfo {
  name: string;
  type: string;
  platform?: string;
  schedule?: DataHubIngestionSourceSchedule;
  config: DataHubIngestionSourceConfig;
  source?: DataHubIngestionSourceSource;
}

/** Identity of an ingestion source. */
export interface DataHubIngestionSourceKey {
  id: string;
}

export interface DataHubIngestionSourceSchedule {
  interval: string;
  timezone: string;
}

export interface DataHubIngestionSourceSource {
  type: DataHubIngestionSourceSourceType;
}

export type DataHubIngestionSourceSourceType = 'SYSTEM';

export interface DataHubJsonConnection {
  encryptedBlob: string;
}

/** Identity of the carrier of API schemas. */
export interface DataHubOpenAPISchemaKey {
  id: string;
}

/** Identity of a page block. */
export interface DataHubPageModuleKey {
  id: string;
}

export interface DataHubPageModuleParams {
  linkParams?: LinkModuleParams;
  richTextParams?: RichTextModuleParams;
  assetCollectionParams?: AssetCollectionModuleParams;
  hierarchyViewParams?: HierarchyModuleParams;
}

/** Name, kind and content of a page block. */
export interface DataHubPageModuleProperties {
  name: string;
  type: DataHubPageModuleType;
  visibility: DataHubPageModuleVisibility;
  params: DataHubPageModuleParams;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

export type DataHubPageModuleType =
  | 'LINK'
  | 'RICH_TEXT'
  | 'ASSET_COLLECTION'
  | 'HIERARCHY'
  | 'OWNED_ASSETS'
  | 'DOMAINS'
  | 'ASSETS'
  | 'OUTPUT_PORTS'
  | 'CHILD_HIERARCHY'
  | 'DATA_PRODUCTS'
  | 'SUB_DATA_PRODUCTS'
  | 'RELATED_TERMS'
  | 'PLATFORMS'
  | 'LINEAGE'
  | 'COLUMNS'
  | 'SEMANTIC_MODEL_DATASETS'
  | 'SEMANTIC_MODEL_METRICS'
  | 'SEMANTIC_MODEL_RELATIONSHIPS'
  | 'SEMANTIC_MODEL_DIMENSIONS'
  | 'AI_CONTEXT'
  | 'METRIC_SQL'
  | 'RELATED_METRICS'
  | 'UNKNOWN';

export interface DataHubPageModuleVisibility {
  scope: PageModuleScope;
}

export interface DataHubPageTemplateAssetSummary {
  summaryElements?: Array<SummaryElement>;
}

/** Identity of a page layout. */
export interface DataHubPageTemplateKey {
  id: string;
}

/** The rows of a page layout, and for whom it is. */
export interface DataHubPageTemplateProperties {
  rows: Array<DataHubPageTemplateRow>;
  assetSummary?: DataHubPageTemplateAssetSummary;
  surface: DataHubPageTemplateSurface;
  visibility: DataHubPageTemplateVisibility;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

export interface DataHubPageTemplateRow {
  modules: Array<string>;
}

export interface DataHubPageTemplateSurface {
  surfaceType: PageTemplateSurfaceType;
}

export interface DataHubPageTemplateVisibility {
  scope: PageTemplateScope;
}

/** Marks a persona; it has no fields. */
export interface DataHubPersonaInfo {
}

/** Identity of a persona. */
export interface DataHubPersonaKey {
  id: string;
}

/** What an access policy grants, to whom and on what. */
export interface DataHubPolicyInfo {
  displayName: string;
  description: string;
  type: PolicyType;
  state: PolicyState;
  resources?: DataHubResourceFilter;
  privileges: Array<string>;
  actors: DataHubActorFilter;
  /** What it does with its privileges; ALLOW when absent. */
  effect?: PolicyEffect;
  editable: boolean;
  lastUpdatedTimestamp?: number;
}

/** Identity of an access policy. */
export interface DataHubPolicyKey {
  id: string;
}

export interface DataHubResourceFilter {
  /** @deprecated */
  type?: string;
  /** @deprecated */
  resources?: Array<string>;
  /** @deprecated */
  allResources: boolean;
  filter?: PolicyMatchFilter;
  privilegeConstraints?: PolicyMatchFilter;
}

/** How many versions, or how long, an aspect is kept. */
export interface DataHubRetentionConfig {
  retention: Retention;
}

/** The entity type and aspect a retention rule is for. */
export interface DataHubRetentionKey {
  entityName: string;
  aspectName: string;
}

/** Name and description of a catalog role. */
export interface DataHubRoleInfo {
  name: string;
  description: string;
  editable: boolean;
}

/** Identity of a catalog role. */
export interface DataHubRoleKey {
  id: string;
}

/** How the values of a structured property are searched. */
export interface DataHubSearchConfig {
  /** Name of the search field; that of the property when absent. */
  fieldName?: string;
  /** How it is indexed and matched. */
  fieldType?: SearchFieldType;
  /** Whether a search without a field name looks into it. */
  queryByDefault: boolean;
  /** Whether it is left out when text is searched for. */
  excludeFromFullTextSearch?: boolean;
  /** Whether what is typed is completed from it. */
  enableAutocomplete: boolean;
  /** Whether it is offered as a filter. */
  addToFilters: boolean;
  /** Whether it is offered as a filter that there is any value. */
  addHasValuesToFilters: boolean;
  /** Name for people of the filter. */
  filterNameOverride?: string;
  /** Name for people of the filter that there is any value. */
  hasValuesFilterNameOverride?: string;
  /** How much a hit in it counts. */
  boostScore: number;
  /** The same by the ways in which it is matched. */
  subfieldBoostScores?: Record<string, number>;
  /** Name of a field that says whether there is any value. */
  hasValuesFieldName?: string;
  /** Name of a field that counts the values. */
  numValuesFieldName?: string;
  /** Factors on the score, by value. */
  weightsPerFieldValue?: Record<string, number>;
  /** Further names of the field. */
  fieldNameAliases?: Array<string>;
  /** Names of fields that get its values as well. */
  copyTo?: Array<string>;
  /** Names of fields that get the URN of the entity as well. */
  copyUrnTo?: Array<string>;
}

/** Identity of a secret. */
export interface DataHubSecretKey {
  id: string;
}

/** Name and encrypted value of a secret. */
export interface DataHubSecretValue {
  name: string;
  value: string;
  description?: string;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
}

/** Identity of the state of a guided tour. */
export interface DataHubStepStateKey {
  id: string;
}

/** What is remembered about a guided tour. */
export interface DataHubStepStateProperties {
  properties: Record<string, string>;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
}

/** Identity of an upgrade step. */
export interface DataHubUpgradeKey {
  id: string;
}

/** A request to run an upgrade step. */
export interface DataHubUpgradeRequest {
  timestampMs: number;
  version: string;
}

/** How an upgrade step ended. */
export interface DataHubUpgradeResult {
  state?: DataHubUpgradeState;
  timestampMs: number;
  result?: Record<string, string>;
}

export type DataHubUpgradeState = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';

export interface DataHubViewDefinition {
  entityTypes: Array<string>;
  filter: Filter;
  json?: string;
}

/** Name and filter of a saved view, and who may see it. */
export interface DataHubViewInfo {
  name: string;
  description?: string;
  type: DataHubViewType;
  definition: DataHubViewDefinition;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

/** Identity of a saved view. */
export interface DataHubViewKey {
  id: string;
}

export type DataHubViewType = 'PERSONAL' | 'GLOBAL';

/** Name, description and kind of a data job. */
export interface DataJobInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** Name of the job. */
  name: string;
  /** What the job does, as its tool reports. */
  description?: string;
  /** What kind of job it is, in a word of its tool. */
  type: { [record: `${string}datajob.azkaban.AzkabanJobType`]: AzkabanJobType } | { string: string };
  /** URN of the pipeline; the key names it as well. */
  flowUrn?: string;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
  /** How far the job is; runs are better reported as data process instances. @deprecated */
  status?: JobStatus;
  /** Environment it runs in. */
  env?: FabricType;
}

/** What a data job reads and what it writes. */
export interface DataJobInputOutput {
  /** URNs of datasets that the job reads; the edges hold more. @deprecated */
  inputDatasets: Array<string>;
  /** Datasets that the job reads. */
  inputDatasetEdges?: Array<Edge>;
  /** URNs of datasets that the job writes; the edges hold more. @deprecated */
  outputDatasets: Array<string>;
  /** Datasets that the job writes. */
  outputDatasetEdges?: Array<Edge>;
  /** URNs of jobs that must be over before this one; the edges hold more. @deprecated */
  inputDatajobs?: Array<string>;
  /** Jobs that must be over before this one. */
  inputDatajobEdges?: Array<Edge>;
  /** URNs of columns that the job reads. */
  inputDatasetFields?: Array<string>;
  /** URNs of columns that the job writes. */
  outputDatasetFields?: Array<string>;
  /** Which columns the job makes from which. */
  fineGrainedLineages?: Array<FineGrainedLineage>;
}

/** Identity of a data job, its flow and its own id. */
export interface DataJobKey {
  /** URN of the pipeline that the job belongs to. */
  flow: string;
  /** Id of the job, unique in its pipeline. */
  jobId: string;
}

/** Name, kind and logo of a data platform, and how its dataset names are split. */
export interface DataPlatformInfo {
  name: string;
  displayName?: string;
  type: PlatformType;
  datasetNameDelimiter: string;
  logical?: boolean;
  logoUrl?: string;
}

/** The platform an entity lives on, and which installation of it. */
export interface DataPlatformInstance {
  /** The data platform. */
  platform: string;
  /** The installation of the platform. */
  instance?: string;
}

/** Identity of an installation of a platform. */
export interface DataPlatformInstanceKey {
  platform: string;
  instance: string;
}

/** Name and description of an installation of a platform. */
export interface DataPlatformInstanceProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name?: string;
  description?: string;
}

/** Identity of a data platform. */
export interface DataPlatformKey {
  /** Name of the platform. */
  platformName: string;
}

/** What a data process reads and writes. */
export interface DataProcessInfo {
  inputs?: Array<string>;
  outputs?: Array<string>;
}

/** What a run read. */
export interface DataProcessInstanceInput {
  inputs: Array<string>;
  inputEdges?: Array<Edge>;
}

/** Identity of a run. */
export interface DataProcessInstanceKey {
  id: string;
}

/** What a run wrote. */
export interface DataProcessInstanceOutput {
  outputs: Array<string>;
  outputEdges?: Array<Edge>;
}

/** Name and kind of a run, and when it was created. */
export interface DataProcessInstanceProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name: string;
  type?: DataProcessType;
  /** When it was created, and by whom. */
  created: AuditStamp;
}

/** The job a run belongs to, its parent run and the runs before it. */
export interface DataProcessInstanceRelationships {
  parentTemplate?: string;
  parentInstance?: string;
  upstreamInstances: Array<string>;
}

/** The start or the end of a run, with its result. */
export interface DataProcessInstanceRunEvent {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  status: DataProcessRunStatus;
  attempt?: number;
  result?: DataProcessInstanceRunResult;
  durationMillis?: number;
}

export interface DataProcessInstanceRunResult {
  type: RunResultType;
  nativeResultType: string;
}

/** Identity of a data process. */
export interface DataProcessKey {
  name: string;
  orchestrator: string;
  origin: FabricType;
}

export type DataProcessRunStatus = 'STARTED' | 'COMPLETE';

export type DataProcessType = 'BATCH_SCHEDULED' | 'BATCH_AD_HOC' | 'STREAMING';

/** An entity of a data product. */
export interface DataProductAssociation {
  /** URN of the data product; not needed. */
  sourceUrn?: string;
  /** URN of the entity. */
  destinationUrn: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  /** Further properties of the association. */
  properties?: Record<string, string>;
  /** Whether consumers are meant to use it. */
  outputPort: boolean;
}

/** Identity of a data product. */
export interface DataProductKey {
  /** Id of the data product, often a UUID; its name is in dataProductProperties. */
  id: string;
}

/** Name and description of a data product, and the assets in it. */
export interface DataProductProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** What the data product is called. */
  name?: string;
  /** What it offers, and to whom. */
  description?: string;
  /** The entities that it consists of. */
  assets?: Array<DataProductAssociation>;
  /** URN of the data product that it is part of. */
  parentDataProduct?: string;
}

/** The data products of an asset, as a client found them, to search by; what counts is the assets of a data product. */
export interface DataProducts {
  /** The data products. */
  dataProducts: Array<DataProductAssociation>;
}

export interface DataQualityContract {
  assertion: string;
}

/** One step of how data is made. */
export interface DataTransform {
  /** The statement of the step. */
  queryStatement?: QueryStatement;
}

/** The statements by which a job transforms data. */
export interface DataTransformLogic {
  /** The steps, in their order. */
  transforms: Array<DataTransform>;
}

/** Qualified name, display name and description of a data type. */
export interface DataTypeInfo {
  /** Vendor word and name of the data type, such as platform.string. */
  qualifiedName: string;
  /** Name of the data type for people. */
  displayName?: string;
  /** What values of this type are. */
  description?: string;
}

/** Identity of a data type. */
export interface DataTypeKey {
  /** Vendor word and name of the data type, such as platform.string. */
  id: string;
}

/** The state an ingestion run leaves for the next one. */
export interface DatahubIngestionCheckpoint {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** Name of the ingestion pipeline. */
  pipelineName: string;
  /** Id of the installation that was read. */
  platformInstanceId: string;
  /** The recipe of the run, as text. */
  config: string;
  /** What the next run goes on from. */
  state: IngestionCheckpointState;
  /** Id of the run that left it. */
  runId: string;
}

/** What one run of an ingestion did, with counts and timings. */
export interface DatahubIngestionRunSummary {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** Name of the ingestion pipeline. */
  pipelineName: string;
  /** Id of the installation that was read. */
  platformInstanceId: string;
  /** Id of the run, the one in system metadata. */
  runId: string;
  /** How far the run is, or how it ended. */
  runStatus: JobStatus;
  /** Units of work whose metadata was written. */
  numWorkUnitsCommitted?: number;
  /** Units of work that the source produced. */
  numWorkUnitsCreated?: number;
  /** Changes that were sent. */
  numEvents?: number;
  /** Entities that were read. */
  numEntities?: number;
  /** Aspects that were read. */
  numAspects?: number;
  /** Calls to the source. */
  numSourceAPICalls?: number;
  /** Time that these calls took, in milliseconds. */
  totalLatencySourceAPICalls?: number;
  /** Calls to the catalog. */
  numSinkAPICalls?: number;
  /** Time that these calls took, in milliseconds. */
  totalLatencySinkAPICalls?: number;
  /** Warnings of the run. */
  numWarnings?: number;
  /** Errors of the run. */
  numErrors?: number;
  /** Entities that were left out. */
  numEntitiesSkipped?: number;
  /** The recipe of the run, without secrets, as text. */
  config?: string;
  /** What the source adds to the report, as text. */
  custom_summary?: string;
  /** Version of the ingestion tool. */
  softwareVersion?: string;
  /** The machine that it ran on. */
  systemHostName?: string;
  /** The operating system of that machine. */
  operatingSystemName?: string;
  /** Processors of that machine. */
  numProcessors?: number;
  /** Memory of that machine, in bytes. */
  totalMemory?: number;
  /** Memory that was free, in bytes. */
  availableMemory?: number;
}

export interface DatasetAssertionInfo {
  dataset: string;
  scope: DatasetAssertionScope;
  fields?: Array<string>;
  aggregation?: AssertionStdAggregation;
  operator: AssertionStdOperator;
  parameters?: AssertionStdParameters;
  nativeType?: string;
  nativeParameters?: Record<string, string>;
  logic?: string;
}

export type DatasetAssertionScope =
  | 'DATASET_COLUMN'
  | 'DATASET_ROWS'
  | 'DATASET_STORAGE_SIZE'
  | 'DATASET_SCHEMA'
  | 'UNKNOWN';

/** Deprecation of a dataset (older form; deprecation replaces it). */
export interface DatasetDeprecation {
  /** Whether the dataset should no longer be used. */
  deprecated: boolean;
  /** When it is to be switched off, epoch milliseconds. */
  decommissionTime?: number;
  /** What users should know. */
  note: string;
  /** URN of who deprecated it. */
  actor?: string;
}

/** Columns that refer to a column of another dataset. */
export interface DatasetFieldForeignKey {
  /** URN of the dataset that is referred to. */
  parentDataset: string;
  /** Paths of the columns that refer. */
  currentFieldPaths: Array<string>;
  /** Path of the column that is referred to. */
  parentField: string;
}

/** A column and the columns it is made from. */
export interface DatasetFieldMapping {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** How the values are made. */
  transformation:
    | { [record: `${string}common.fieldtransformer.TransformationType`]: TransformationType }
    | { [record: `${string}common.fieldtransformer.UDFTransformer`]: UDFTransformer };
  /** URNs of the columns that it is made from. */
  sourceFields: Array<{ string: string }>;
  /** The column that is made. @deprecated */
  destinationField: string;
}

/** Statistics of one column. */
export interface DatasetFieldProfile {
  /** Path of the column. */
  fieldPath: string;
  /** Number of different values. */
  uniqueCount?: number;
  /** Share of different values among all rows. */
  uniqueProportion?: number;
  /** Number of empty values. */
  nullCount?: number;
  /** Share of empty values among all rows. */
  nullProportion?: number;
  /** Smallest value, as text. */
  min?: string;
  /** Largest value, as text. */
  max?: string;
  /** Mean of the values, as text. */
  mean?: string;
  /** Median of the values, as text. */
  median?: string;
  /** Standard deviation of the values, as text. */
  stdev?: string;
  /** Quantiles of the values. */
  quantiles?: Array<Quantile>;
  /** How often each value occurs. */
  distinctValueFrequencies?: Array<ValueFrequency>;
  /** How the values are spread. */
  histogram?: Histogram;
  /** Some of the values, as text. */
  sampleValues?: Array<string>;
}

/** How often one column was used. */
export interface DatasetFieldUsageCounts {
  /** Path of the column. */
  fieldPath: string;
  /** How often the column was used. */
  count: number;
}

export interface DatasetFilter {
  type: DatasetFilterType;
  sql?: string;
}

export type DatasetFilterType = 'SQL';

/** Identity of a dataset, the parts of its URN in their order. */
export interface DatasetKey {
  /** URN of the data platform. */
  platform: string;
  /** Name of the dataset on its platform. */
  name: string;
  /** Environment the dataset lives in. */
  origin: FabricType;
}

/** How a dataset comes from its upstream. */
export type DatasetLineageType = 'COPY' | 'TRANSFORMED' | 'VIEW';

/** Statistics of a dataset and its columns at one point in time. */
export interface DatasetProfile {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** Number of rows. */
  rowCount?: number;
  /** Number of columns. */
  columnCount?: number;
  /** Statistics per column. */
  fieldProfiles?: Array<DatasetFieldProfile>;
  /** Size of the stored data. */
  sizeInBytes?: number;
}

/** What the platform itself says of a dataset, such as its name, description and custom properties. */
export interface DatasetProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** Name of the dataset for people. */
  name?: string;
  /** Full name of the dataset on its platform. */
  qualifiedName?: string;
  /** Description as the platform reports it. */
  description?: string;
  /** Address of the dataset on its platform. @deprecated */
  uri?: string;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
  /** Words the platform puts on the dataset; globalTags replaces it. @deprecated */
  tags: Array<string>;
}

/** Column-level lineage of a dataset (older form; upstreamLineage replaces it). */
export interface DatasetUpstreamLineage {
  /** Which columns are made from which, in the older form. */
  fieldMappings: Array<DatasetFieldMapping>;
}

/** How much a dataset was used in a time window, and by whom. */
export interface DatasetUsageStatistics {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** Number of different users. */
  uniqueUserCount?: number;
  /** Number of queries. */
  totalSqlQueries?: number;
  /** The queries run most often. */
  topSqlQueries?: Array<string>;
  /** Usage per user. */
  userCounts?: Array<DatasetUserUsageCounts>;
  /** Usage per column. */
  fieldCounts?: Array<DatasetFieldUsageCounts>;
}

/** How often one user used a dataset. */
export interface DatasetUserUsageCounts {
  /** URN of who queried the dataset. */
  user: string;
  /** How often the user used the dataset. */
  count: number;
  /** Email address of the user, when the URN is not known. */
  userEmail?: string;
}

/** A date, with or without a time. */
export type DateType = Record<string, never>;

export type DeploymentStatus =
  | 'OUT_OF_SERVICE'
  | 'CREATING'
  | 'UPDATING'
  | 'ROLLING_BACK'
  | 'IN_SERVICE'
  | 'DELETING'
  | 'FAILED'
  | 'UNKNOWN';

/** Whether an entity should no longer be used, since when, and what replaces it. */
export interface Deprecation {
  /** Whether it should no longer be used. */
  deprecated: boolean;
  /** When it is to be switched off, epoch milliseconds. */
  decommissionTime?: number;
  /** What users should know, such as why and what to do. */
  note: string;
  /** URN of who deprecated it, or took that back. */
  actor: string;
  /** URN of what to use instead. */
  replacement?: string;
}

export interface DerivedMetricInput {
  sourceUrn?: string;
  destinationUrn: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  properties?: Record<string, string>;
}

export type Dialect = 'ANSI_SQL' | 'SNOWFLAKE' | 'MDX' | 'TABLEAU' | 'DATABRICKS' | 'MAQL' | 'OTHER';

export interface DialectExpression {
  dialect: Dialect;
  expression: string;
}

/** What is said of a dimension of a semantic model. */
export interface Dimension {
  /** Whether it is an axis of time. */
  isTime: boolean;
}

/** Colour and icon with which an entity is shown. */
export interface DisplayProperties {
  /** Colour, a hexadecimal code with a number sign before it. */
  colorHex?: string;
  /** The icon. */
  icon?: IconProperties;
}

export interface DocPropagationFeatureSettings {
  enabled: boolean;
  config?: string;
  configVersion?: string;
  columnPropagationEnabled: boolean;
}

export interface DocumentContents {
  text: string;
}

/** Title, text and state of a document, and what it is about. */
export interface DocumentInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  title?: string;
  source?: DocumentSource;
  status: DocumentStatus;
  contents: DocumentContents;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
  relatedAssets?: Array<RelatedAsset>;
  relatedDocuments?: Array<RelatedDocument>;
  parentDocument?: ParentDocument;
}

/** Identity of a document. */
export interface DocumentKey {
  id: string;
}

/** Where a document is shown. */
export interface DocumentSettings {
  showInGlobalContext: boolean;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
}

export interface DocumentSource {
  sourceType: DocumentSourceType;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  externalId?: string;
}

export type DocumentSourceType = 'NATIVE' | 'EXTERNAL';

export type DocumentState = 'PUBLISHED' | 'UNPUBLISHED';

export interface DocumentStatus {
  state: DocumentState;
}

/** How much a document was read, by people and by agents. */
export interface DocumentUsageStatistics {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  viewsCount?: number;
  agentViewsCount?: number;
  uniqueUserCount?: number;
  lastViewedAt?: number;
  userCounts?: Array<DatasetUserUsageCounts>;
}

/** Documentation of an entity together with where each text came from. */
export interface Documentation {
  /** Texts about the entity, each from its own source. */
  documentations: Array<DocumentationAssociation>;
}

/** A text about an entity, and where it comes from. */
export interface DocumentationAssociation {
  /** The text; markdown is kept as it is. */
  documentation: string;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** One domain that an entity belongs to, and where that comes from. */
export interface DomainAssociation {
  /** URN of the domain. */
  domain: string;
  /** Why the domain was assigned. */
  context?: string;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** Identity of a domain. */
export interface DomainKey {
  /** Id of the domain, often a UUID; its name is in domainProperties. */
  id: string;
}

/** Name, description and parent of a domain. */
export interface DomainProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** What the domain is called. */
  name: string;
  /** What belongs to the domain. */
  description?: string;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
  /** URN of the domain above it. */
  parentDomain?: string;
}

/** The domains an entity belongs to. */
export interface Domains {
  /** URNs of the domains; surfaces that show only one show the first. */
  domains: Array<string>;
  /** The same domains, with where each assignment comes from. */
  domainAssociations?: Array<DomainAssociation>;
}

/** The filter by which a form finds the assets it applies to. */
export interface DynamicFormAssignment {
  filter: Filter;
}

export type ERModelRelationshipCardinality = 'ONE_ONE' | 'ONE_N' | 'N_ONE' | 'N_N';

/** Identity of a relationship between two datasets. */
export interface ERModelRelationshipKey {
  id: string;
}

/** The two datasets of a relationship, the columns that match, and the cardinality. */
export interface ERModelRelationshipProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  name: string;
  source: string;
  destination: string;
  relationshipFieldMappings: Array<RelationshipFieldMapping>;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  cardinality: ERModelRelationshipCardinality;
}

/** A link to another entity, with when and by whom it was made. */
export interface Edge {
  /** Where the link starts; the entity itself when absent. */
  sourceUrn?: string;
  /** Where the link ends. */
  destinationUrn: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  /** Further properties of the link. */
  properties?: Record<string, string>;
}

/** Description of a chart as people wrote it in the catalog. */
export interface EditableChartProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** What people wrote about the chart; wins over what the tool reports. */
  description?: string;
}

/** Description of a container as people wrote it in the catalog. */
export interface EditableContainerProperties {
  /** What people wrote about the container; wins over what the platform reports. */
  description?: string;
}

/** Description of a dashboard as people wrote it in the catalog. */
export interface EditableDashboardProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** What people wrote about the dashboard; wins over what the tool reports. */
  description?: string;
}

/** Description of a data flow as people wrote it in the catalog. */
export interface EditableDataFlowProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** What people wrote about the pipeline; wins over what its tool reports. */
  description?: string;
}

/** Description of a data job as people wrote it in the catalog. */
export interface EditableDataJobProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** What people wrote about the job; wins over what its tool reports. */
  description?: string;
}

/** Name and description of a dataset as people wrote them in the catalog. */
export interface EditableDatasetProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** Description as people wrote it; wins over the one of the platform. */
  description?: string;
  /** Name as people wrote it; wins over the one of the platform. */
  name?: string;
}

/** Name and description of a relationship as people wrote them in the catalog. */
export interface EditableERModelRelationshipProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  description?: string;
  name?: string;
}

/** Description of a feature as people wrote it in the catalog. */
export interface EditableMLFeatureProperties {
  description?: string;
}

/** Description of a feature table as people wrote it in the catalog. */
export interface EditableMLFeatureTableProperties {
  description?: string;
}

/** Description of a model group as people wrote it in the catalog. */
export interface EditableMLModelGroupProperties {
  description?: string;
}

/** Description of a model as people wrote it in the catalog. */
export interface EditableMLModelProperties {
  description?: string;
}

/** Description of a feature table key as people wrote it in the catalog. */
export interface EditableMLPrimaryKeyProperties {
  description?: string;
}

/** Description of a notebook as people wrote it in the catalog. */
export interface EditableNotebookProperties {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  description?: string;
}

/** What people wrote about one column. */
export interface EditableSchemaFieldInfo {
  /** Path of the column. */
  fieldPath: string;
  /** Description of the column as people wrote it. */
  description?: string;
  /** Tags that people put on the column. */
  globalTags?: GlobalTags;
  /** Glossary terms that people attached to the column. */
  glossaryTerms?: GlossaryTerms;
}

/** What people wrote in the catalog about the columns of a dataset. */
export interface EditableSchemaMetadata {
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** One entry per column that someone wrote about. */
  editableSchemaFieldInfo: Array<EditableSchemaFieldInfo>;
}

/** Where notifications go by mail. */
export interface EmailNotificationSettings {
  /** Mail address that gets them. */
  email: string;
}

/** The address from which an asset can be shown inside another page. */
export interface Embed {
  /** Address of a page that shows it, to be put into a frame. */
  renderUrl?: string;
}

export interface EmbeddingChunk {
  position: number;
  vector: Array<number>;
  characterOffset?: number;
  characterLength?: number;
  tokenCount?: number;
  text?: string;
}

export interface EmbeddingModelData {
  modelVersion: string;
  generatedAt: number;
  sourceTextSha256?: string;
  chunkingStrategy?: string;
  totalChunks: number;
  totalTokens?: number;
  chunks: Array<EmbeddingChunk>;
}

/** Qualified name, display name and description of an entity type. */
export interface EntityTypeInfo {
  /** Vendor word and name of the entity type, such as platform.dataset. */
  qualifiedName: string;
  /** Name of the entity type for people. */
  displayName?: string;
  /** What entities of this type are. */
  description?: string;
}

/** Identity of an entity type. */
export interface EntityTypeKey {
  /** Vendor word and name of the entity type, such as platform.dataset. */
  id: string;
}

/** One of a fixed set of values. */
export type EnumType = Record<string, never>;

/** An Espresso schema as it was written. */
export interface EspressoSchema {
  /** The schema of the documents as the platform writes it. */
  documentSchema: string;
  /** The schema of the table as the platform writes it. */
  tableSchema: string;
}

/** Ethical questions raised by a model and how they were answered. */
export interface EthicalConsiderations {
  data?: Array<string>;
  humanLife?: Array<string>;
  mitigations?: Array<string>;
  risksAndHarms?: Array<string>;
  useCases?: Array<string>;
}

/** The datasets a model was evaluated on. */
export interface EvaluationData {
  evaluationData: Array<BaseData>;
}

/** The task to run and its arguments. */
export interface ExecutionRequestInput {
  task: string;
  args: Record<string, string>;
  executorId: string;
  source: ExecutionRequestSource;
  requestedAt: number;
  actorUrn?: string;
  cliVersionAudit?: CliVersionAudit;
}

/** Identity of an execution request. */
export interface ExecutionRequestKey {
  id: string;
}

/** How a task ended, with its report. */
export interface ExecutionRequestResult {
  status: string;
  report?: string;
  structuredReport?: StructuredExecutionReport;
  startTimeMs?: number;
  durationMs?: number;
}

/** A signal to a running task, such as stop. */
export interface ExecutionRequestSignal {
  signal: string;
  executorId?: string;
  createdAt: AuditStamp;
}

export interface ExecutionRequestSource {
  type: string;
  ingestionSource?: string;
}

/** The environment an asset lives in. */
export type FabricType =
  | 'DEV'
  | 'TEST'
  | 'QA'
  | 'UAT'
  | 'EI'
  | 'PRE'
  | 'STG'
  | 'NON_PROD'
  | 'PROD'
  | 'CORP'
  | 'RVW'
  | 'PRD'
  | 'TST'
  | 'SIT'
  | 'SBX'
  | 'SANDBOX'
  | 'CERT';

export interface FieldAssertionInfo {
  type: FieldAssertionType;
  entity: string;
  fieldPath?: string;
  fieldValuesAssertion?: FieldValuesAssertion;
  fieldMetricAssertion?: FieldMetricAssertion;
  filter?: DatasetFilter;
}

export type FieldAssertionType = 'FIELD_VALUES' | 'FIELD_METRIC';

/** A question that is asked of one column. */
export interface FieldFormPromptAssociation {
  /** Path of the column. */
  fieldPath: string;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
}

export interface FieldMetricAssertion {
  field: SchemaFieldSpec;
  metric: FieldMetricType;
  operator: AssertionStdOperator;
  parameters?: AssertionStdParameters;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
}

export type FieldMetricType =
  | 'UNIQUE_COUNT'
  | 'UNIQUE_PERCENTAGE'
  | 'NULL_COUNT'
  | 'NULL_PERCENTAGE'
  | 'MIN'
  | 'MAX'
  | 'MEAN'
  | 'MEDIAN'
  | 'STDDEV'
  | 'NEGATIVE_COUNT'
  | 'NEGATIVE_PERCENTAGE'
  | 'ZERO_COUNT'
  | 'ZERO_PERCENTAGE'
  | 'MIN_LENGTH'
  | 'MAX_LENGTH'
  | 'EMPTY_COUNT'
  | 'EMPTY_PERCENTAGE';

export interface FieldTransform {
  type: FieldTransformType;
}

export type FieldTransformType = 'LENGTH';

export interface FieldValuesAssertion {
  field: SchemaFieldSpec;
  transform?: FieldTransform;
  operator: AssertionStdOperator;
  parameters?: AssertionStdParameters;
  failThreshold: FieldValuesFailThreshold;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
  excludeNulls: boolean;
}

export interface FieldValuesFailThreshold {
  type: FieldValuesFailThresholdType;
  value: number;
}

export type FieldValuesFailThresholdType = 'COUNT' | 'PERCENTAGE';

export type FileUploadScenario = 'ASSET_DOCUMENTATION' | 'ASSET_DOCUMENTATION_LINKS';

export interface Filter {
  or?: Array<ConjunctiveCriterion>;
  criteria?: Array<Criterion>;
}

/** Lineage between columns. */
export interface FineGrainedLineage {
  /** Whether the upstreams are columns or whole datasets. */
  upstreamType: FineGrainedLineageUpstreamType;
  /** URNs of the columns or datasets that the values come from. */
  upstreams?: Array<string>;
  /** Whether the downstream is one column or several. */
  downstreamType: FineGrainedLineageDownstreamType;
  /** URNs of the columns that the values go to. */
  downstreams?: Array<string>;
  /** How the values are made, in a word of the tool that found out. */
  transformOperation?: string;
  /** How sure it is, from 0 to 1. */
  confidenceScore: number;
  /** URN of the query that moves the values. */
  query?: string;
  /** How the upstream dataset was recognised. */
  matchType?: LineageMatchType;
}

/** What the downstreams of column lineage are. */
export type FineGrainedLineageDownstreamType = 'FIELD' | 'FIELD_SET';

/** What the upstreams of column lineage are. */
export type FineGrainedLineageUpstreamType = 'FIELD_SET' | 'DATASET' | 'NONE';

export interface FixedIntervalSchedule {
  unit: CalendarInterval;
  multiple: number;
}

/** Bytes of a fixed length. */
export type FixedType = Record<string, never>;

/** Columns whose values must be found in columns of another dataset. */
export interface ForeignKeyConstraint {
  /** What the platform calls the constraint. */
  name: string;
  /** URNs of the columns that are referred to. */
  foreignFields: Array<string>;
  /** URNs of the columns that refer, in the same order. */
  sourceFields: Array<string>;
  /** URN of the dataset that is referred to. */
  foreignDataset: string;
}

/** A reference from columns to another dataset or entity, in the older form. */
export interface ForeignKeySpec {
  /** What the columns refer to. */
  foreignKey:
    | { [record: `${string}schema.DatasetFieldForeignKey`]: DatasetFieldForeignKey }
    | { [record: `${string}schema.UrnForeignKey`]: UrnForeignKey };
}

export interface FormActorAssignment {
  owners: boolean;
  ownershipTypes?: Array<string>;
  groups?: Array<string>;
  users?: Array<string>;
}

/** A form that is put to an entity, and how far it is. */
export interface FormAssociation {
  /** URN of the form. */
  urn: string;
  /** Questions that are open. */
  incompletePrompts: Array<FormPromptAssociation>;
  /** Questions that are answered. */
  completedPrompts: Array<FormPromptAssociation>;
}

/** Name and questions of a form, and who is to answer them. */
export interface FormInfo {
  name: string;
  description?: string;
  type: FormType;
  prompts: Array<FormPrompt>;
  actors: FormActorAssignment;
}

/** Identity of a form. */
export interface FormKey {
  id: string;
}

export interface FormPrompt {
  id: string;
  title: string;
  description?: string;
  type: FormPromptType;
  structuredPropertyParams?: StructuredPropertyParams;
  required: boolean;
}

/** One question of a form, and how far its answer is. */
export interface FormPromptAssociation {
  /** Id of the question in its form. */
  id: string;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** How far it is for each column, where it is asked of columns. */
  fieldAssociations?: FormPromptFieldAssociations;
}

/** For which columns a question is answered. */
export interface FormPromptFieldAssociations {
  /** Columns for which it is answered. */
  completedFieldPrompts?: Array<FieldFormPromptAssociation>;
  /** Columns for which it is open. */
  incompleteFieldPrompts?: Array<FieldFormPromptAssociation>;
}

export type FormPromptType = 'STRUCTURED_PROPERTY' | 'FIELDS_STRUCTURED_PROPERTY';

export type FormType = 'COMPLETION' | 'VERIFICATION';

/** A confirmation of the answers to a form. */
export interface FormVerificationAssociation {
  /** URN of the form. */
  form: string;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
}

/** The forms assigned to an entity and how far they are answered. */
export interface Forms {
  /** Forms that people still have to fill in. */
  incompleteForms: Array<FormAssociation>;
  /** Forms that are filled in. */
  completedForms: Array<FormAssociation>;
  /** Forms whose answers are confirmed. */
  verifications: Array<FormVerificationAssociation>;
}

export interface FreshnessAssertionInfo {
  type: FreshnessAssertionType;
  entity: string;
  schedule: FreshnessAssertionSchedule;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
  filter?: DatasetFilter;
}

export interface FreshnessAssertionSchedule {
  type: FreshnessAssertionScheduleType;
  cron?: FreshnessCronSchedule;
  fixedInterval?: FixedIntervalSchedule;
}

export type FreshnessAssertionScheduleType = 'CRON' | 'FIXED_INTERVAL' | 'SINCE_THE_LAST_CHECK';

export type FreshnessAssertionType = 'DATASET_CHANGE' | 'DATA_JOB_RUN';

export interface FreshnessContract {
  assertion: string;
}

export interface FreshnessCronSchedule {
  cron: string;
  timezone: string;
  windowStartOffsetMs?: number;
}

export interface GlobalHomePageSettings {
  defaultTemplate: string;
}

/** Sign-on, views, home page and other settings of the whole catalog. */
export interface GlobalSettingsInfo {
  sso?: SsoSettings;
  oauth?: OAuthSettings;
  views?: GlobalViewsSettings;
  docPropagation?: DocPropagationFeatureSettings;
  homePage?: GlobalHomePageSettings;
  applications?: ApplicationsSettings;
}

/** Identity of the global settings. */
export interface GlobalSettingsKey {
  id: string;
}

/** The tags put on an entity. */
export interface GlobalTags {
  /** The tags, each with where it comes from. */
  tags: Array<TagAssociation>;
}

export interface GlobalViewsSettings {
  defaultView?: string;
}

/** Name and description of a glossary folder, and the folder above it. */
export interface GlossaryNodeInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** What the folder holds. */
  definition: string;
  /** The folder above it. */
  parentNode?: string;
  /** Name of the folder for people. */
  name?: string;
  /** Id of the folder, an older way to name it. */
  id?: string;
}

/** Identity of a glossary folder. */
export interface GlossaryNodeKey {
  /** Id of the glossary folder. */
  name: string;
}

/** How a glossary term relates to other terms. */
export interface GlossaryRelatedTerms {
  /** Broader terms this one inherits from. */
  isRelatedTerms?: Array<string>;
  /** Terms this one contains. */
  hasRelatedTerms?: Array<string>;
  /** Terms that are the values this one may take. */
  values?: Array<string>;
  /** Terms related in any other way. */
  relatedTerms?: Array<string>;
}

/** One glossary term attached to something. */
export interface GlossaryTermAssociation {
  /** The glossary term. */
  urn: string;
  /** Who attached the term. */
  actor?: string;
  /** Why the term was attached, as free text. */
  context?: string;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** Name, meaning and source of a glossary term. */
export interface GlossaryTermInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Id of the term, an older way to name it. */
  id?: string;
  /** Name of the term for people. */
  name?: string;
  /** What the term means; called description in GraphQL. */
  definition: string;
  /** The glossary folder the term lies in. */
  parentNode?: string;
  /** Whether the term is defined here or elsewhere, INTERNAL or EXTERNAL. */
  termSource: string;
  /** The outside system or standard that defines the term. */
  sourceRef?: string;
  /** Address of the outside definition. */
  sourceUrl?: string;
  /** Schema definition of the term as text. @deprecated */
  rawSchema?: string;
}

/** Identity of a glossary term. */
export interface GlossaryTermKey {
  /** Id of the term; may contain dots. */
  name: string;
}

/** The glossary terms attached to an entity. */
export interface GlossaryTerms {
  /** The glossary terms, each with where it comes from. */
  terms: Array<GlossaryTermAssociation>;
  /** When the terms last changed, and by whom. */
  auditStamp: AuditStamp;
}

/** Groups a user belongs to, as the directory says. */
export interface GroupMembership {
  /** URNs of groups that an outside directory has put the user into. */
  groups: Array<string>;
}

export interface HierarchyModuleParams {
  assetUrns?: Array<string>;
  showRelatedEntities: boolean;
  relatedEntitiesFilterJson?: string;
}

/** How the values of a column are spread. */
export interface Histogram {
  /** Where the bars begin and end, as text. */
  boundaries: Array<string>;
  /** How high each bar is, between two boundaries. */
  heights: Array<number>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE';

/** Where an Iceberg table keeps its metadata. */
export interface IcebergCatalogInfo {
  /** Address of the metadata file of the table as it is now. */
  metadataPointer?: string;
  /** Whether it is a view. */
  view?: boolean;
}

/** Where an Iceberg warehouse stores its data, and how to reach it. */
export interface IcebergWarehouseInfo {
  dataRoot: string;
  clientId: string;
  clientSecret: string;
  region: string;
  role?: string;
  tempCredentialExpirationSeconds?: number;
  env: FabricType;
}

/** Libraries of icons. */
export type IconLibrary = 'MATERIAL' | 'PHOSPHOR';

/** An icon of a library of icons. */
export interface IconProperties {
  /** The library that has it. */
  iconLibrary: IconLibrary;
  /** Its name in the library. */
  name: string;
  /** Its variant in the library, such as filled. */
  style: string;
}

export interface IncidentAssignee {
  actor: string;
  assignedAt: AuditStamp;
}

export interface IncidentExternalLink {
  connectionId: string;
  system: string;
  externalId: string;
  url: string;
  /** When it was created, and by whom. */
  created: AuditStamp;
  syncEnabled: boolean;
  lastSyncTimeMillis?: number;
}

/** Links from an incident to tickets in outside systems. */
export interface IncidentExternalLinks {
  links: Array<IncidentExternalLink>;
}

/** What happened, to which assets, and how far it is resolved. */
export interface IncidentInfo {
  type: IncidentType;
  customType?: string;
  title?: string;
  description?: string;
  entities: Array<string>;
  priority?: number;
  assignees?: Array<IncidentAssignee>;
  status: IncidentStatus;
  source?: IncidentSource;
  startedAt?: number;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
}

/** Identity of an incident. */
export interface IncidentKey {
  id: string;
}

export interface IncidentNote {
  message: string;
  /** When it was created, and by whom. */
  created: AuditStamp;
  source?: IncidentNoteSource;
}

export interface IncidentNoteSource {
  sourceType?: IncidentNoteSourceType;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  externalId?: string;
}

export type IncidentNoteSourceType = 'NATIVE' | 'EXTERNAL';

/** Notes written while working on an incident. */
export interface IncidentNotes {
  notes: Array<IncidentNote>;
}

export interface IncidentSource {
  type: IncidentSourceType;
  sourceUrn?: string;
}

export type IncidentSourceType = 'MANUAL' | 'ASSERTION_FAILURE';

export type IncidentStage = 'TRIAGE' | 'INVESTIGATION' | 'WORK_IN_PROGRESS' | 'FIXED' | 'NO_ACTION_REQUIRED';

export type IncidentState = 'ACTIVE' | 'RESOLVED';

export interface IncidentStatus {
  state: IncidentState;
  stage?: IncidentStage;
  message?: string;
  lastUpdated: AuditStamp;
}

/** What a list of incidents shows of one. */
export interface IncidentSummaryDetails {
  /** URN of the incident. */
  urn: string;
  /** What kind of incident it is. */
  type: string;
  /** When it was raised, epoch milliseconds. */
  createdAt: number;
  /** When it was resolved, epoch milliseconds. */
  resolvedAt?: number;
  /** How urgent it is. */
  priority?: number;
}

export type IncidentType =
  | 'FRESHNESS'
  | 'VOLUME'
  | 'FIELD'
  | 'SQL'
  | 'DATA_SCHEMA'
  | 'OPERATIONAL'
  | 'CUSTOM';

/** The open and closed incidents of an entity. */
export interface IncidentsSummary {
  /** URNs of incidents that are over; the details hold more. @deprecated */
  resolvedIncidents: Array<string>;
  /** URNs of incidents that are open; the details hold more. @deprecated */
  activeIncidents: Array<string>;
  /** Incidents that are over. */
  resolvedIncidentDetails: Array<IncidentSummaryDetails>;
  /** Incidents that are open. */
  activeIncidentDetails: Array<IncidentSummaryDetails>;
}

export interface IncrementingSegmentFieldTransformer {
  type: IncrementingSegmentFieldTransformerType;
  nativeType?: string;
}

export type IncrementingSegmentFieldTransformerType =
  | 'TIMESTAMP_MS_TO_MINUTE'
  | 'TIMESTAMP_MS_TO_HOUR'
  | 'TIMESTAMP_MS_TO_DATE'
  | 'TIMESTAMP_MS_TO_MONTH'
  | 'TIMESTAMP_MS_TO_YEAR'
  | 'FLOOR'
  | 'CEILING'
  | 'NATIVE';

export interface IncrementingSegmentRowCountChange {
  segment: IncrementingSegmentSpec;
  type: AssertionValueChangeType;
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
}

export interface IncrementingSegmentRowCountTotal {
  segment: IncrementingSegmentSpec;
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
}

export interface IncrementingSegmentSpec {
  field: SchemaFieldSpec;
  transformer?: IncrementingSegmentFieldTransformer;
}

/** What a run leaves for the next one. */
export interface IngestionCheckpointState {
  /** Version of the format of the payload. */
  formatVersion: string;
  /** How the payload is written. */
  serde: string;
  /** The state itself. */
  payload?: string;
}

/** A column that a chart or dashboard is made from. */
export interface InputField {
  /** URN of the column. */
  schemaFieldUrn: string;
  /** What the column looks like there, under a name of its own. */
  schemaField?: SchemaField;
}

/** The columns a chart or dashboard is made from. */
export interface InputFields {
  /** The columns that it is made from. */
  fields: Array<InputField>;
}

/** Links to documentation about an entity. */
export interface InstitutionalMemory {
  /** The links. */
  elements: Array<InstitutionalMemoryMetadata>;
}

/** One link to documentation. */
export interface InstitutionalMemoryMetadata {
  /** Address of the document. */
  url: string;
  /** What the document is about. */
  description: string;
  /** When the link was added, and by whom. */
  createStamp: AuditStamp;
  /** When the link was last changed, and by whom. */
  updateStamp?: AuditStamp;
  /** Where the link is shown. */
  settings?: InstitutionalMemoryMetadataSettings;
}

/** Where a documentation link is shown. */
export interface InstitutionalMemoryMetadataSettings {
  /** Whether previews of the entity show the link as well. */
  showInAssetPreview: boolean;
}

/** What a model is meant for, for whom, and what it is not for. */
export interface IntendedUse {
  primaryUses?: Array<string>;
  primaryUsers?: Array<IntendedUserType>;
  outOfScopeUses?: Array<string>;
}

export type IntendedUserType = 'ENTERPRISE' | 'HOBBY' | 'ENTERTAINMENT';

/** The encrypted invitation and the role it gives. */
export interface InviteToken {
  token: string;
  role?: string;
}

/** Identity of an invitation. */
export interface InviteTokenKey {
  id: string;
}

/** How far a job is. */
export type JobStatus =
  | 'STARTING'
  | 'IN_PROGRESS'
  | 'STOPPING'
  | 'STOPPED'
  | 'COMPLETED'
  | 'FAILED'
  | 'UNKNOWN'
  | 'SKIPPED';

/** A Kafka schema as it was written. */
export interface KafkaSchema {
  /** The schema of the message value. */
  documentSchema: string;
  /** Language of the value schema, AVRO when absent. */
  documentSchemaType?: string;
  /** The schema of the message key. */
  keySchema?: string;
  /** Language of the key schema, AVRO when absent. */
  keySchemaType?: string;
}

/** The schemas of the key and of the value of a key-value store. */
export interface KeyValueSchema {
  /** The schema of keys as the platform writes it. */
  keySchema: string;
  /** The schema of values as the platform writes it. */
  valueSchema: string;
}

export interface LargeString {
  blob: string;
  compression: CompressionType;
  uncompressedSize?: number;
}

export interface LifecycleStageSettings {
  hideInSearch: boolean;
}

export interface LifecycleStageTransitionPolicy {
  allowedPreviousStages?: Array<string>;
}

/** Name of a stage of life, where it applies, and what may come before it. */
export interface LifecycleStageTypeInfo {
  name: string;
  description?: string;
  entityTypes?: Array<string>;
  settings: LifecycleStageSettings;
  transitionPolicy?: LifecycleStageTransitionPolicy;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

/** Identity of a stage of life. */
export interface LifecycleStageTypeKey {
  id: string;
}

/** How the upstream dataset was recognised. */
export type LineageMatchType = 'EXACT' | 'NORMALIZED' | 'UNRESOLVED';

export interface LinkModuleParams {
  linkUrl: string;
  imageUrl?: string;
  description?: string;
}

/** The logical asset that a physical asset implements. */
export interface LogicalParent {
  /** The logical model that this physical one stands for, as an edge. */
  parent?: Edge;
}

export type MLFeatureDataType =
  | 'USELESS'
  | 'NOMINAL'
  | 'ORDINAL'
  | 'BINARY'
  | 'COUNT'
  | 'TIME'
  | 'INTERVAL'
  | 'IMAGE'
  | 'VIDEO'
  | 'AUDIO'
  | 'TEXT'
  | 'MAP'
  | 'SEQUENCE'
  | 'SET'
  | 'CONTINUOUS'
  | 'BYTE'
  | 'UNKNOWN';

/** Identity of a feature, its namespace and name. */
export interface MLFeatureKey {
  featureNamespace: string;
  name: string;
}

/** Description, data type and sources of a feature. */
export interface MLFeatureProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  description?: string;
  dataType?: MLFeatureDataType;
  version?: VersionTag;
  sources?: Array<string>;
}

/** Identity of a feature table. */
export interface MLFeatureTableKey {
  platform: string;
  name: string;
}

/** Description of a feature table, its features and its keys. */
export interface MLFeatureTableProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  description?: string;
  mlFeatures?: Array<string>;
  mlPrimaryKeys?: Array<string>;
}

export interface MLHyperParam {
  name: string;
  description?: string;
  value?: string;
  createdAt?: number;
}

export interface MLMetric {
  name: string;
  description?: string;
  value?: string;
  createdAt?: number;
}

/** Identity of a model deployment. */
export interface MLModelDeploymentKey {
  platform: string;
  name: string;
  origin: FabricType;
}

/** Description, version and state of a model deployment. */
export interface MLModelDeploymentProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  description?: string;
  createdAt?: number;
  version?: VersionTag;
  status?: DeploymentStatus;
}

/** Factors that influence how well a model performs. */
export interface MLModelFactorPrompts {
  relevantFactors?: Array<MLModelFactors>;
  evaluationFactors?: Array<MLModelFactors>;
}

export interface MLModelFactors {
  groups?: Array<string>;
  instrumentation?: Array<string>;
  environment?: Array<string>;
}

/** Identity of a model group. */
export interface MLModelGroupKey {
  platform: string;
  name: string;
  origin: FabricType;
}

/** Name, description and lineage of a model group. */
export interface MLModelGroupProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  trainingJobs?: Array<string>;
  downstreamJobs?: Array<string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name?: string;
  description?: string;
  /** @deprecated */
  createdAt?: number;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
  version?: VersionTag;
}

/** Identity of a model, its platform, name and environment. */
export interface MLModelKey {
  platform: string;
  name: string;
  origin: FabricType;
}

/** Description, parameters, metrics and lineage of a model. */
export interface MLModelProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  trainingJobs?: Array<string>;
  downstreamJobs?: Array<string>;
  name?: string;
  description?: string;
  /** @deprecated */
  date?: number;
  /** When it was created in its own tool. */
  created?: TimeStamp;
  /** When it was last changed in its own tool. */
  lastModified?: TimeStamp;
  version?: VersionTag;
  type?: string;
  hyperParameters?: Record<string, { string: string } | { int: number } | { float: number } | { double: number } | { boolean: boolean }>;
  hyperParams?: Array<MLHyperParam>;
  trainingMetrics?: Array<MLMetric>;
  onlineMetrics?: Array<MLMetric>;
  mlFeatures?: Array<string>;
  tags: Array<string>;
  deployments?: Array<string>;
  groups?: Array<string>;
}

/** Identity of the key of a feature table. */
export interface MLPrimaryKeyKey {
  featureNamespace: string;
  name: string;
}

/** Description, data type and sources of a feature table key. */
export interface MLPrimaryKeyProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  description?: string;
  dataType?: MLFeatureDataType;
  version?: VersionTag;
  sources: Array<string>;
}

/** Parameters, metrics and outputs of a training run. */
export interface MLTrainingRunProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  id?: string;
  outputUrls?: Array<string>;
  hyperParams?: Array<MLHyperParam>;
  trainingMetrics?: Array<MLMetric>;
}

/** Keys with values. */
export interface MapType {
  /** Type of the keys. */
  keyType?: string;
  /** Type of the values. */
  valueType?: string;
}

/** How to reach a server that offers tools to AI agents. */
export interface McpServerProperties {
  url: string;
  transport: McpTransport;
  timeout?: number;
  customHeaders?: Record<string, string>;
}

export type McpTransport = 'HTTP' | 'SSE' | 'WEBSOCKET';

export interface Media {
  type: MediaType;
  location: string;
}

export type MediaType = 'IMAGE';

/** Where a piece of metadata came from. */
export interface MetadataAttribution {
  /** When, in epoch milliseconds. */
  time: number;
  /** Who is behind it. */
  actor: string;
  /** The entity it came from. */
  source?: string;
  /** Further details of the source. */
  sourceDetail: Record<string, string>;
}

export interface MetricExpression {
  dialects: Array<DialectExpression>;
}

/** Name and expression of a metric, and the semantic model it belongs to. */
export interface MetricInfo {
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name: string;
  description?: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  semanticModel?: string;
  expression?: MetricExpression;
}

/** Identity of a metric. */
export interface MetricKey {
  platform: string;
  path: string;
  id: string;
}

/** How a metric relates to other metrics. */
export interface MetricRelationships {
  parentMetric?: string;
  derivedFrom: Array<DerivedMetricInput>;
  relatedMetrics: Array<Edge>;
}

/** The datasets and columns a metric is computed from. */
export interface MetricUpstreams {
  datasetUpstreams?: Array<Edge>;
  fieldUpstreams?: Array<Edge>;
}

/** Measures by which a model is judged. */
export interface Metrics {
  performanceMeasures?: Array<string>;
  decisionThreshold?: Array<string>;
}

/** The statement that creates a MySQL table. */
export interface MySqlDDL {
  /** The statement that creates the table. */
  tableSchema: string;
}

/** Groups a user belongs to that were made in the catalog. */
export interface NativeGroupMembership {
  /** URNs of groups of the catalog itself that the user is in. */
  nativeGroups: Array<string>;
}

export interface NotebookCell {
  textCell?: TextCell;
  queryCell?: QueryCell;
  chartCell?: ChartCell;
  type: NotebookCellType;
}

export type NotebookCellType = 'TEXT_CELL' | 'QUERY_CELL' | 'CHART_CELL';

/** The cells of a notebook. */
export interface NotebookContent {
  cells: Array<NotebookCell>;
}

/** Title and description of a notebook. */
export interface NotebookInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  title: string;
  description?: string;
  changeAuditStamps: ChangeAuditStamps;
}

/** Identity of a notebook. */
export interface NotebookKey {
  notebookTool: string;
  notebookId: string;
}

/** Where notifications go. */
export interface NotificationSettings {
  /** The ways by which they are sent. */
  sinkTypes: Array<NotificationSinkType>;
  /** Where they go on Slack. */
  slackSettings?: SlackNotificationSettings;
  /** Where they go by mail. */
  emailSettings?: EmailNotificationSettings;
}

/** Ways by which notifications are sent. */
export type NotificationSinkType = 'SLACK' | 'EMAIL' | 'TEAMS';

/** Nothing but null. */
export type NullType = Record<string, never>;

/** A number. */
export type NumberType = Record<string, never>;

export interface OAuthProvider {
  enabled: boolean;
  name: string;
  jwksUri?: string;
  issuer: string;
  audience: string;
  algorithm: string;
  userIdClaim: string;
}

export interface OAuthSettings {
  providers: Array<OAuthProvider>;
}

export interface OidcSettings {
  enabled: boolean;
  clientId: string;
  clientSecret: string;
  discoveryUri: string;
  userNameClaim?: string;
  userNameClaimRegex?: string;
  scope?: string;
  clientAuthenticationMethod?: string;
  jitProvisioningEnabled?: boolean;
  preProvisioningRequired?: boolean;
  extractGroupsEnabled?: boolean;
  groupsClaim?: string;
  responseType?: string;
  responseMode?: string;
  useNonce?: boolean;
  readTimeout?: number;
  extractJwtAccessTokenClaims?: boolean;
  preferredJwsAlgorithm?: string;
  preferredJwsAlgorithm2?: string;
  requiredGroups?: Array<string>;
  accessDeniedMessage?: string;
  accessDeniedRedirectUrl?: string;
}

/** One change to the content of a dataset, such as an insert or a delete. */
export interface Operation {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  /** URN of who carried out the operation. */
  actor?: string;
  /** What was done to the data. */
  operationType: OperationType;
  /** The name of the operation where its type is CUSTOM. */
  customOperationType?: string;
  /** How many rows were changed. */
  numAffectedRows?: number;
  /** URNs of other datasets that the operation changed or read. */
  affectedDatasets?: Array<string>;
  /** Who reported the operation, the job that ran it or the platform that holds the data. */
  sourceType?: OperationSourceType;
  /** Further properties as text. */
  customProperties?: Record<string, string>;
  /** When the data was changed, epoch milliseconds; the event itself may come later. */
  lastUpdatedTimestamp: number;
  /** URNs of the queries that did it. */
  queries?: Array<string>;
}

/** Who reports an operation. */
export type OperationSourceType = 'DATA_PROCESS' | 'DATA_PLATFORM';

/** What an operation does to data. */
export type OperationType =
  | 'INSERT'
  | 'UPDATE'
  | 'DELETE'
  | 'CREATE'
  | 'ALTER'
  | 'DROP'
  | 'CUSTOM'
  | 'UNKNOWN';

/** The statement that creates an Oracle table. */
export interface OracleDDL {
  /** The statement that creates the table. */
  tableSchema: string;
}

/** An ORC schema as it was written. */
export interface OrcSchema {
  /** The schema of the file as the platform writes it. */
  schema: string;
}

/** Whether a user or group was made in the catalog or comes from outside. */
export interface Origin {
  /** Whether it was made in the catalog or comes from outside. */
  type: OriginType;
  /** The system it comes from, where it comes from outside. */
  externalType?: string;
}

/** Where a user or group comes from. */
export type OriginType = 'NATIVE' | 'EXTERNAL';

/** A schema of any other platform as it was written. */
export interface OtherSchema {
  /** The schema as the platform writes it. */
  rawSchema: string;
}

/** One owner and the kind of ownership. */
export interface Owner {
  /** The owning user or group. */
  owner: string;
  /** Kind of ownership, such as DATAOWNER. @deprecated */
  type: OwnershipType;
  /** A kind of ownership that people defined themselves; wins over type. */
  typeUrn?: string;
  /** Where the ownership came from. */
  source?: OwnershipSource;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** Who owns an entity, and in which role. */
export interface Ownership {
  /** Users and groups, each once in each role. */
  owners: Array<Owner>;
  /** Owners grouped by kind of ownership; kept for search. */
  ownerTypes?: Record<string, Array<string>>;
  /** When ownership last changed, and by whom. */
  lastModified: AuditStamp;
}

/** Where an ownership came from. */
export interface OwnershipSource {
  /** Where the ownership is known from. */
  type: OwnershipSourceType;
  /** Address of the page or record that says so. */
  url?: string;
}

/** Where ownership may be known from. */
export type OwnershipSourceType =
  | 'AUDIT'
  | 'DATABASE'
  | 'FILE_SYSTEM'
  | 'ISSUE_TRACKING_SYSTEM'
  | 'MANUAL'
  | 'SERVICE'
  | 'SOURCE_CONTROL'
  | 'OTHER';

/** The kinds of ownership built into the catalog. */
export type OwnershipType =
  | 'CUSTOM'
  | 'TECHNICAL_OWNER'
  | 'BUSINESS_OWNER'
  | 'DATA_STEWARD'
  | 'NONE'
  | 'DEVELOPER'
  | 'DATAOWNER'
  | 'DELEGATE'
  | 'PRODUCER'
  | 'CONSUMER'
  | 'STAKEHOLDER';

/** Name and description of a kind of ownership. */
export interface OwnershipTypeInfo {
  name: string;
  description?: string;
  /** When it was created, and by whom. @deprecated */
  created: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified: AuditStamp;
}

/** Identity of a kind of ownership. */
export interface OwnershipTypeKey {
  id: string;
}

export type PageModuleScope = 'PERSONAL' | 'GLOBAL';

export type PageTemplateScope = 'PERSONAL' | 'GLOBAL';

export type PageTemplateSurfaceType = 'HOME_PAGE' | 'ASSET_SUMMARY';

export interface ParentDocument {
  document: string;
}

/** The part of a dataset that an event is about. */
export interface PartitionSpec {
  /** Text that identifies the part, FULL_TABLE_SNAPSHOT for all of it. */
  partition: string;
  /** The span of time that the part covers, where it is one. */
  timePartition?: TimeWindow;
  /** What kind of part it is. @deprecated */
  type: PartitionType;
}

/** One partition of a dataset. */
export interface PartitionSummary {
  /** Name of the partition. */
  partition: string;
  /** When it was made, epoch milliseconds. */
  createdTime?: number;
  /** When it last changed, epoch milliseconds. */
  lastModifiedTime?: number;
}

/** Which part of a dataset an event is about. */
export type PartitionType = 'FULL_TABLE' | 'QUERY' | 'PARTITION';

/** The first and last partition of a dataset. */
export interface PartitionsSummary {
  /** The first partition. */
  minPartition?: PartitionSummary;
  /** The last partition. */
  maxPartition?: PartitionSummary;
}

/** Kind, keys and value of a platform resource. */
export interface PlatformResourceInfo {
  resourceType: string;
  primaryKey: string;
  secondaryKeys?: Array<string>;
  value?: SerializedValue;
}

/** Identity of a platform resource. */
export interface PlatformResourceKey {
  id: string;
}

export type PlatformType =
  | 'FILE_SYSTEM'
  | 'KEY_VALUE_STORE'
  | 'MESSAGE_BROKER'
  | 'OBJECT_STORE'
  | 'OLAP_DATASTORE'
  | 'OTHERS'
  | 'QUERY_ENGINE'
  | 'RELATIONAL_DB'
  | 'SEARCH_ENGINE';

export type PolicyEffect = 'ALLOW' | 'DENY';

export type PolicyMatchCondition = 'EQUALS' | 'STARTS_WITH' | 'NOT_EQUALS';

export interface PolicyMatchCriterion {
  field: string;
  values: Array<string>;
  structuredPropertyValues?: Array<StructuredPropertyCriterionValue>;
  condition: PolicyMatchCondition;
}

export interface PolicyMatchFilter {
  criteria: Array<PolicyMatchCriterion>;
}

export type PolicyState = 'ACTIVE' | 'INACTIVE';

export type PolicyType = 'METADATA' | 'PLATFORM';

export interface PostContent {
  title: string;
  type: PostContentType;
  description?: string;
  link?: string;
  media?: Media;
}

export type PostContentType = 'TEXT' | 'LINK';

/** Content and kind of an announcement, and when it was written. */
export interface PostInfo {
  type: PostType;
  content: PostContent;
  /** @deprecated */
  created: number;
  /** @deprecated */
  lastModified: number;
  /** @deprecated */
  auditStamp?: AuditStamp;
  target?: string;
}

/** Identity of an announcement. */
export interface PostKey {
  id: string;
}

export type PostType = 'HOME_PAGE_ANNOUNCEMENT' | 'ENTITY_ANNOUNCEMENT';

/** The statement that creates a Presto view or table. */
export interface PrestoDDL {
  /** The statement that creates the table or view. */
  rawSchema: string;
}

/** How many values a structured property may hold on one entity. */
export type PropertyCardinality = 'SINGLE' | 'MULTIPLE';

/** One value that a structured property may hold. */
export interface PropertyValue {
  /** The value, a string or a number. */
  value: { string: string } | { double: number };
  /** What the value means. */
  description?: string;
}

/** One quantile of the values of a column. */
export interface Quantile {
  /** The share of values below, from 0 to 1, as text. */
  quantile: string;
  /** The value at that share, as text. */
  value: string;
}

/** Results of a model for single factors and for their combinations. */
export interface QuantitativeAnalyses {
  unitaryResults?: string;
  intersectionalResults?: string;
}

export interface QueryCell {
  cellTitle?: string;
  cellId: string;
  changeAuditStamps: ChangeAuditStamps;
  rawQuery: string;
  lastExecuted?: AuditStamp;
}

/** Identity of a query. */
export interface QueryKey {
  id: string;
}

/** Languages of statements. */
export type QueryLanguage = 'SQL' | 'UNKNOWN';

/** The statement of a query, its name, and where it came from. */
export interface QueryProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  statement: QueryStatement;
  source: QuerySource;
  name?: string;
  description?: string;
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  origin?: string;
}

export type QuerySource = 'MANUAL' | 'SYSTEM';

/** A statement in some language. */
export interface QueryStatement {
  /** The text of the statement. */
  value: string;
  /** The language it is written in. */
  language: QueryLanguage;
}

export interface QuerySubject {
  entity: string;
}

/** The datasets and columns a query is about. */
export interface QuerySubjects {
  subjects: Array<QuerySubject>;
}

/** How often a query was run, at what cost, and by whom. */
export interface QueryUsageStatistics {
  /** When the event happened, in epoch milliseconds. */
  timestampMillis: number;
  /** Length of the time window the event covers. */
  eventGranularity?: TimeWindowSize;
  /** The part of the data the event is about; everything when absent. */
  partitionSpec?: PartitionSpec;
  /** Distinguishes events of the same time; events with the same id are one. */
  messageId?: string;
  queryCount?: number;
  queryCost?: number;
  lastExecutedAt?: number;
  uniqueUserCount?: number;
  userCounts?: Array<DatasetUserUsageCounts>;
}

/** A record with fields of its own. */
export type RecordType = Record<string, never>;

export interface RelatedAsset {
  asset: string;
}

export interface RelatedDocument {
  document: string;
}

export interface RelationshipFieldMapping {
  sourceField: string;
  destinationField: string;
}

/** Identity of a repository. */
export interface RepositoryKey {
  id: string;
}

/** The repository that a repository was forked from. */
export interface RepositoryLineage {
  forkOf?: string;
}

/** Name, languages, licence and state of a repository. */
export interface RepositoryProperties {
  name: string;
  description?: string;
  defaultBranch?: string;
  languages?: Array<string>;
  license?: string;
  homepageUrl?: string;
  archived?: boolean;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
}

/** Where a repository lives outside the catalog. */
export interface RepositorySource {
  /** Address of the page in its own tool. */
  externalUrl?: string;
  externalId?: string;
}

/** HTTP method and path of an operation. */
export interface RestApiProperties {
  method: HttpMethod;
  path: string;
}

export interface Retention {
  version?: VersionBasedRetention;
  time?: TimeBasedRetention;
}

export interface RichTextModuleParams {
  content: string;
}

/** A role that grants access to an entity. */
export interface RoleAssociation {
  /** URN of the role. */
  urn: string;
}

export interface RoleGroup {
  group: string;
}

/** Identity of an access role. */
export interface RoleKey {
  id: string;
}

/** Catalog roles of a user or group. */
export interface RoleMembership {
  /** URNs of the roles that the user or group has in the catalog. */
  roles: Array<string>;
}

/** Name and purpose of an access role, and where to request it. */
export interface RoleProperties {
  name: string;
  description?: string;
  type: string;
  requestUrl?: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
}

export interface RoleUser {
  user: string;
}

export interface RowCountChange {
  type: AssertionValueChangeType;
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
}

export interface RowCountTotal {
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
}

export type RunResultType = 'SUCCESS' | 'FAILURE' | 'SKIPPED' | 'UP_FOR_RETRY';

export type SchemaAssertionCompatibility = 'EXACT_MATCH' | 'SUPERSET' | 'SUBSET';

export interface SchemaAssertionInfo {
  entity: string;
  schema: SchemaMetadata;
  compatibility?: SchemaAssertionCompatibility;
}

export interface SchemaContract {
  assertion: string;
}

/** One column of a dataset. */
export interface SchemaField {
  /** Path of the column, dotted when it is nested. */
  fieldPath: string;
  /** Path of the column as a JSON path. @deprecated */
  jsonPath?: string;
  /** Whether the column may be empty. */
  nullable: boolean;
  /** What the column holds, as the platform says. */
  description?: string;
  /** Short name of the column for people. @deprecated */
  label?: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  /** The neutral type of the column. */
  type: SchemaFieldDataType;
  /** The type in the words of the platform. */
  nativeDataType: string;
  /** Whether the column refers back to the type it is part of. */
  recursive: boolean;
  /** Tags that came with the schema. */
  globalTags?: GlobalTags;
  /** Glossary terms that came with the schema. */
  glossaryTerms?: GlossaryTerms;
  /** Whether the column belongs to the primary key. */
  isPartOfKey: boolean;
  /** Whether the dataset is partitioned by the column. */
  isPartitioningKey?: boolean;
  /** Further properties of the column, as JSON text. */
  jsonProps?: string;
}

/** Other URNs that mean the same column. */
export interface SchemaFieldAliases {
  aliases?: Array<string>;
}

/** The neutral type of a column. */
export interface SchemaFieldDataType {
  /** An object with one member, named after the type. */
  type:
    | { [record: `${string}schema.BooleanType`]: BooleanType }
    | { [record: `${string}schema.FixedType`]: FixedType }
    | { [record: `${string}schema.StringType`]: StringType }
    | { [record: `${string}schema.BytesType`]: BytesType }
    | { [record: `${string}schema.NumberType`]: NumberType }
    | { [record: `${string}schema.DateType`]: DateType }
    | { [record: `${string}schema.TimeType`]: TimeType }
    | { [record: `${string}schema.EnumType`]: EnumType }
    | { [record: `${string}schema.NullType`]: NullType }
    | { [record: `${string}schema.MapType`]: MapType }
    | { [record: `${string}schema.ArrayType`]: ArrayType }
    | { [record: `${string}schema.UnionType`]: UnionType }
    | { [record: `${string}schema.RecordType`]: RecordType };
}

/** Name of a column and other URNs that mean the same column. */
export interface SchemaFieldInfo {
  name?: string;
  schemaFieldAliases?: Array<string>;
}

/** Identity of a column, its dataset and its path. */
export interface SchemaFieldKey {
  parent: string;
  fieldPath: string;
}

export interface SchemaFieldSpec {
  path: string;
  type: string;
  nativeType: string;
}

/** The schema of a dataset as its platform reports it, with all columns. */
export interface SchemaMetadata {
  /** Name of the schema. */
  schemaName: string;
  /** The data platform the schema comes from. */
  platform: string;
  /** Version of the schema; counts upwards, 0 when the platform has none. */
  version: number;
  /** When it was created, and by whom. */
  created: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified: AuditStamp;
  /** When it was removed, and by whom. */
  deleted?: AuditStamp;
  /** The dataset the schema belongs to. */
  dataset?: string;
  /** The cluster the schema was read from. */
  cluster?: string;
  /** Hash of the schema, to notice changes; may be empty. */
  hash: string;
  /** The schema in the words of its platform. */
  platformSchema:
    | { [record: `${string}schema.EspressoSchema`]: EspressoSchema }
    | { [record: `${string}schema.OracleDDL`]: OracleDDL }
    | { [record: `${string}schema.MySqlDDL`]: MySqlDDL }
    | { [record: `${string}schema.PrestoDDL`]: PrestoDDL }
    | { [record: `${string}schema.KafkaSchema`]: KafkaSchema }
    | { [record: `${string}schema.BinaryJsonSchema`]: BinaryJsonSchema }
    | { [record: `${string}schema.OrcSchema`]: OrcSchema }
    | { [record: `${string}schema.Schemaless`]: Schemaless }
    | { [record: `${string}schema.KeyValueSchema`]: KeyValueSchema }
    | { [record: `${string}schema.OtherSchema`]: OtherSchema };
  /** The columns, nested ones with dotted paths. */
  fields: Array<SchemaField>;
  /** Paths of the columns that make up the primary key. */
  primaryKeys?: Array<string>;
  /** Foreign keys by name, in their older form; foreignKeys replaces it. @deprecated */
  foreignKeysSpecs?: Record<string, ForeignKeySpec>;
  /** Foreign keys to other datasets. */
  foreignKeys?: Array<ForeignKeyConstraint>;
}

/** Marks a dataset without a schema. */
export type Schemaless = Record<string, never>;

/** How a search field is indexed and matched. */
export type SearchFieldType =
  | 'KEYWORD'
  | 'TEXT'
  | 'TEXT_PARTIAL'
  | 'BROWSE_PATH'
  | 'URN'
  | 'URN_PARTIAL'
  | 'BOOLEAN'
  | 'COUNT'
  | 'DATETIME'
  | 'OBJECT'
  | 'BROWSE_PATH_V2'
  | 'WORD_GRAM';

/** Embeddings of the text of an entity, for search by meaning. */
export interface SemanticContent {
  embeddings: Record<string, EmbeddingModelData>;
  skipReason?: string;
  skippedAt?: number;
}

/** What a column is in a semantic model, and how it is computed. */
export interface SemanticFieldAnnotation {
  /** What kind of field it is. */
  type: SemanticFieldType;
  /** The expression that computes it. */
  expression: MetricExpression;
  /** How a measure is aggregated, such as SUM. */
  aggregationFunction?: string;
  /** More about a dimension. */
  dimension?: Dimension;
}

export type SemanticFieldType = 'DIMENSION' | 'MEASURE' | 'FILTER' | 'OTHER';

/** Name, definition and relationships of a semantic model. */
export interface SemanticModelInfo {
  /** Address of the page in its own tool. */
  externalUrl?: string;
  name: string;
  description?: string;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  nativeDefinition?: string;
  /** @deprecated */
  datasets: Array<string>;
  relationships?: Array<SemanticModelRelationship>;
}

/** Identity of a semantic model. */
export interface SemanticModelKey {
  platform: string;
  path: string;
  id: string;
}

/** The semantic model that a dataset is a logical dataset of. */
export interface SemanticModelProperties {
  /** The name of the dataset in the relationships of the semantic model. */
  alias: string;
  /** URN of the semantic model. */
  semanticModel: string;
}

export interface SemanticModelRelationship {
  name?: string;
  from: string;
  fromColumns: Array<string>;
  to: string;
  toColumns: Array<string>;
  aiContext?: AiContext;
  cardinality?: ERModelRelationshipCardinality;
}

/** A text that stands for an entity in search by meaning, in place of its own. */
export interface SemanticText {
  /** The text. */
  text: string;
}

export interface SerializedValue {
  blob: string;
  contentType: SerializedValueContentType;
  schemaType?: SerializedValueSchemaType;
  schemaRef?: string;
}

export type SerializedValueContentType = 'JSON' | 'BINARY';

export type SerializedValueSchemaType = 'AVRO' | 'PROTOBUF' | 'PEGASUS' | 'THRIFT' | 'JSON' | 'NONE';

/** The interface description of a service as its author wrote it. */
export interface ServiceDefinition {
  format: ServiceDefinitionFormat;
  rawSpec: LargeString;
  version?: string;
  /** Address of the page in its own tool. */
  externalUrl?: string;
}

export type ServiceDefinitionFormat =
  | 'OPENAPI'
  | 'GRAPHQL_SDL'
  | 'GRPC_PROTO'
  | 'ASYNCAPI'
  | 'JSON_SCHEMA'
  | 'OTHER';

/** Identity of a service. */
export interface ServiceKey {
  id: string;
}

export type ServiceLifecycle = 'EXPERIMENTAL' | 'PRODUCTION' | 'DEPRECATED';

/** Name and description of a service, and the operations it offers. */
export interface ServiceProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  displayName: string;
  description?: string;
  lifecycle?: ServiceLifecycle;
  apis?: Array<string>;
  sourceRepository?: string;
}

/** Entities that describe the same thing on another platform. */
export interface Siblings {
  /** URNs of the entities that stand for the same thing on other platforms. */
  siblings: Array<string>;
  /** Whether this one is the first to show of them. */
  primary: boolean;
}

export interface SkillSourceRepository {
  repositoryUrn?: string;
  url?: string;
  path?: string;
}

/** Where notifications go on Slack. */
export interface SlackNotificationSettings {
  /** The user who gets them. */
  userHandle?: string;
  /** Channels that get them. */
  channels?: Array<string>;
}

/** The Slack account of a user. */
export interface SlackUserInfo {
  /** URN of the installation of Slack, the workspace. */
  slackInstance: string;
  /** Id of the account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Full name of its user. */
  realName: string;
  /** What the account is called in conversations. */
  displayName: string;
  /** Mail address of the account. */
  email?: string;
  /** Id of the workspace. */
  teamId: string;
  /** Whether the account was closed. */
  isDeleted: boolean;
  /** Whether it may administer the workspace. */
  isAdmin: boolean;
  /** Whether it is among the owners of the workspace. */
  isOwner: boolean;
  /** Whether it is the first owner of the workspace. */
  isPrimaryOwner: boolean;
  /** Whether a program uses it. */
  isBot: boolean;
  /** Name of its time zone. */
  timezone?: string;
  /** Seconds by which its time is ahead of UTC. */
  timezoneOffset?: number;
  /** Position of its user. */
  title?: string;
  /** Phone number of its user. */
  phone?: string;
  /** Address of its picture. */
  profilePictureUrl?: string;
  /** What its user says to be doing. */
  statusText?: string;
  /** Sign beside that text. */
  statusEmoji?: string;
  /** When the account last changed, epoch seconds. */
  lastUpdatedSeconds?: number;
}

/** Where the source code of a model is found. */
export interface SourceCode {
  sourceCode: Array<SourceCodeUrl>;
}

export interface SourceCodeUrl {
  type: SourceCodeUrlType;
  sourceCodeUrl: string;
}

export type SourceCodeUrlType =
  | 'ML_MODEL_SOURCE_CODE'
  | 'TRAINING_PIPELINE_SOURCE_CODE'
  | 'EVALUATION_PIPELINE_SOURCE_CODE';

export interface SqlAssertionInfo {
  type: SqlAssertionType;
  entity: string;
  statement: string;
  changeType?: AssertionValueChangeType;
  operator: AssertionStdOperator;
  parameters: AssertionStdParameters;
  failureSeverityConfig?: AssertionFailureSeverityConfig;
}

export type SqlAssertionType = 'METRIC' | 'METRIC_CHANGE';

export interface SsoSettings {
  baseUrl: string;
  oidcSettings?: OidcSettings;
}

/** Whether an entity is soft-deleted, and the stage of life it is in. */
export interface Status {
  /** Whether the entity is soft-deleted and hidden from search and browse. */
  removed: boolean;
  /** The stage of life the entity is in. */
  lifecycleStage?: string;
  /** When the stage of life last changed, and by whom. */
  lifecycleLastUpdated?: AuditStamp;
}

/** The size of a dataset as a job last computed it from its profiles. */
export interface StorageFeatures {
  /** Number of rows. */
  rowCount?: number;
  /** Number of columns. */
  columnCount?: number;
}

/** Text. */
export type StringType = Record<string, never>;

export interface StructuredExecutionReport {
  type: string;
  serializedValue: string;
  contentType: string;
}

/** The structured property values set on an entity. */
export interface StructuredProperties {
  /** One entry per property, keyed by propertyUrn. */
  properties: Array<StructuredPropertyValueAssignment>;
}

export interface StructuredPropertyCriterionValue {
  propertyUrn: string;
  values: Array<string>;
}

/** Definition of a structured property, what it may hold and what it may be set on. */
export interface StructuredPropertyDefinition {
  /** Full name of the property, the one its URN carries. */
  qualifiedName: string;
  /** Name of the property for people. */
  displayName?: string;
  /** Data type of the values, such as string, number or date. */
  valueType: string;
  /** Narrows the data type, for example to URNs of certain entity types. */
  typeQualifier?: Record<string, Array<string>>;
  /** The only values allowed, each once; any value when absent. */
  allowedValues?: Array<PropertyValue>;
  /** Whether an entity may hold one value or several. */
  cardinality: PropertyCardinality;
  /** Entity types the property can be set on, one at least. */
  entityTypes: Array<string>;
  /** Data platforms whose assets the property can be set on; all when absent. */
  allowedPlatforms?: Array<string>;
  /** What the property is for. */
  description?: string;
  /** How the values are searched. */
  searchConfiguration?: DataHubSearchConfig;
  /** Whether a value, once set, may no longer change. */
  immutable: boolean;
  /** Date and time (UTC), yyyyMMddHHmmss, at most a day ahead of the clock. A greater one marks a breaking change of the definition. */
  version?: string;
  /** When it was created, and by whom. @deprecated */
  created?: AuditStamp;
  /** When it was last changed, and by whom. @deprecated */
  lastModified?: AuditStamp;
}

/** Identity of a structured property, its qualified name. */
export interface StructuredPropertyKey {
  /** The qualified name of the property. */
  id: string;
}

export interface StructuredPropertyParams {
  urn: string;
}

/** Where a structured property is shown. */
export interface StructuredPropertySettings {
  /** Hide the property everywhere; excludes the other places. */
  isHidden: boolean;
  /** Offer the property as a search filter. */
  showInSearchFilters: boolean;
  /** Show the property in the summary of an asset. */
  showInAssetSummary: boolean;
  /** Leave the property out of the summary when it has no value. */
  hideInAssetSummaryWhenEmpty: boolean;
  /** Show the value as a badge beside the name of an asset. */
  showAsAssetBadge: boolean;
  /** Show the property in the table of columns. */
  showInColumnsTable: boolean;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
}

/** The values of one structured property on an entity. */
export interface StructuredPropertyValueAssignment {
  /** The structured property. */
  propertyUrn: string;
  /** Its values on this entity, strings or numbers, one at least. */
  values: Array<{ string: string } | { double: number }>;
  /** When it was created, and by whom. */
  created?: AuditStamp;
  /** When it was last changed, and by whom. */
  lastModified?: AuditStamp;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** Finer kinds of an entity, such as Table, View or Topic. */
export interface SubTypes {
  /** What its platform calls things of this kind, such as Table, View or Topic. */
  typeNames: Array<string>;
}

export interface SummaryElement {
  elementType: SummaryElementType;
  structuredPropertyUrn?: string;
}

export type SummaryElementType =
  | 'CREATED'
  | 'LAST_MODIFIED'
  | 'LAST_INGESTED'
  | 'TAGS'
  | 'GLOSSARY_TERMS'
  | 'OWNERS'
  | 'DOMAIN'
  | 'STRUCTURED_PROPERTY'
  | 'DOCUMENT_STATUS'
  | 'DOCUMENT_TYPE'
  | 'SEMANTIC_MODEL';

/** What the service remembers about a write, such as the run it belongs to. */
export interface SystemMetadata {
  lastObserved?: number;
  runId?: string;
  lastRunId?: string;
  pipelineName?: string;
  registryName?: string;
  registryVersion?: string;
  properties?: Record<string, string>;
  version?: string;
  schemaVersion?: number;
  aspectCreated?: AuditStamp;
  aspectModified?: AuditStamp;
}

/** One tag put on something. */
export interface TagAssociation {
  /** URN of the tag. */
  tag: string;
  /** Why the tag was put here, as free text. */
  context?: string;
  /** Where it came from. */
  attribution?: MetadataAttribution;
}

/** Identity of a tag. */
export interface TagKey {
  /** Name of the tag. */
  name: string;
}

/** Name, description and colour of a tag. */
export interface TagProperties {
  /** Name of the tag for people. */
  name: string;
  /** What the tag stands for. */
  description?: string;
  /** Colour of the tag, as a hexadecimal code. */
  colorHex?: string;
}

/** The anonymous id of an installation. */
export interface TelemetryClientId {
  clientId: string;
}

/** Identity of a telemetry record. */
export interface TelemetryKey {
  name: string;
}

export interface TestDefinition {
  type: TestDefinitionType;
  json?: string;
}

export type TestDefinitionType = 'JSON';

/** Name and definition of a catalog test. */
export interface TestInfo {
  name: string;
  category: string;
  description?: string;
  definition: TestDefinition;
}

/** Identity of a catalog test. */
export interface TestKey {
  id: string;
}

/** The outcome of one test of metadata. */
export interface TestResult {
  /** URN of the test. */
  test: string;
  /** Whether it was passed. */
  type: TestResultType;
  /** Digest of the definition that was tested, to see whether the test has changed since. */
  testDefinitionMd5?: string;
  /** When the test last ran, and for whom. */
  lastComputed?: AuditStamp;
}

/** Outcomes of a test. */
export type TestResultType = 'SUCCESS' | 'FAILURE';

/** The catalog tests an entity passes and fails. */
export interface TestResults {
  /** Tests that it does not pass. */
  failing: Array<TestResult>;
  /** Tests that it passes. */
  passing: Array<TestResult>;
}

export interface TextCell {
  cellTitle?: string;
  cellId: string;
  changeAuditStamps: ChangeAuditStamps;
  text: string;
}

export interface TimeBasedRetention {
  maxAgeInSeconds: number;
}

/** A point in time, and who is behind it. */
export interface TimeStamp {
  /** When, in epoch milliseconds. */
  time: number;
  /** Who is behind it. */
  actor?: string;
}

/** A time of day. */
export type TimeType = Record<string, never>;

/** A time window, its start and its length. */
export interface TimeWindow {
  /** When the window begins, epoch milliseconds. */
  startTimeMillis: number;
  /** How long the window is. */
  length: TimeWindowSize;
}

/** Length of a time window. */
export interface TimeWindowSize {
  /** The unit of the window. */
  unit: CalendarInterval;
  /** How many units the window is long. */
  multiple: number;
}

/** The datasets a model was trained on. */
export interface TrainingData {
  trainingData: Array<BaseData>;
}

/** How the values of a column follow from others. */
export type TransformationType = 'BLACKBOX' | 'IDENTITY';

/** A function of the platform that makes the values. */
export interface UDFTransformer {
  /** Name of the function. */
  udf: string;
}

/** A value of one of several types. */
export interface UnionType {
  /** The types that a value may have. */
  nestedTypes?: Array<string>;
}

/** One dataset that another is made from. */
export interface Upstream {
  /** When the lineage was last reported, and by whom. */
  auditStamp: AuditStamp;
  /** When the lineage was first reported, and by whom. */
  created?: AuditStamp;
  /** The upstream dataset. */
  dataset: string;
  /** How the dataset comes from its upstream, such as TRANSFORMED. */
  type: DatasetLineageType;
  /** Further properties of the lineage edge. */
  properties?: Record<string, string>;
  /** The query that made the lineage. */
  query?: string;
  /** How the names of the upstream were matched. */
  matchType?: LineageMatchType;
}

/** The datasets a dataset is made from, with column-level lineage where it is known. */
export interface UpstreamLineage {
  /** The datasets directly upstream. */
  upstreams: Array<Upstream>;
  /** Lineage between columns. */
  fineGrainedLineages?: Array<FineGrainedLineage>;
}

/** The metrics that an asset shows or reads. */
export interface UpstreamMetrics {
  /** All of them. */
  metrics: Array<Edge>;
}

/** A column whose values are URNs of entities. */
export interface UrnForeignKey {
  /** Path of the column. */
  currentFieldPath: string;
}

/** The use of a dataset as a job last computed it from its statistics. */
export interface UsageFeatures {
  /** Queries of the last 30 days. */
  queryCountLast30Days?: number;
  /** Users of the last 30 days. */
  uniqueUserCountLast30Days?: number;
  /** URNs of those who queried it most in the last 30 days. */
  topUsersLast30Days?: Array<string>;
  /** The percentile of its queries among all datasets. */
  queryCountPercentileLast30Days?: number;
  /** The percentile of its users among all datasets. */
  uniqueUserPercentileLast30Days?: number;
  /** A factor for search made of its use. */
  combinedSearchRankingMultiplier?: number;
  /** When its data last changed, in epoch milliseconds. */
  lastOperationTimestampMs?: number;
}

/** How often one value occurs. */
export interface ValueFrequency {
  /** The value, as text. */
  value: string;
  /** How often it occurs. */
  frequency: number;
}

export interface VersionBasedRetention {
  maxVersions: number;
}

/** The version of a pipeline or job. */
export interface VersionInfo {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  /** Address of the page in its own tool. */
  externalUrl?: string;
  /** The version, as its type writes it. */
  version: string;
  /** What kind of version it is, such as the digest of the configuration. */
  versionType: string;
}

/** The place of an entity in a set of versions. */
export interface VersionProperties {
  /** URN of the version set that all versions belong to. */
  versionSet: string;
  /** Label of this version. */
  version: VersionTag;
  /** Further labels of this version. */
  aliases: Array<VersionTag>;
  /** What is new in this version. */
  comment?: string;
  /** Text by which the versions of a set are put in order. */
  sortId: string;
  /** How the texts are compared. */
  versioningScheme: VersioningScheme;
  /** When the version came to be in its own system. */
  sourceCreatedTimestamp?: AuditStamp;
  /** When the version was recorded in the catalog. */
  metadataCreatedTimestamp?: AuditStamp;
  /** Whether it is the newest of its set. */
  isLatest?: boolean;
}

/** Identity of a version set and the entity type it holds. */
export interface VersionSetKey {
  id: string;
  entityType: string;
}

/** The newest member of a version set and how its versions are ordered. */
export interface VersionSetProperties {
  /** Further properties as text. */
  customProperties: Record<string, string>;
  latest: string;
  versioningScheme: VersioningScheme;
}

/** A label of a version. */
export interface VersionTag {
  /** The label. */
  versionTag?: string;
  /** Where the label comes from. */
  metadataAttribution?: MetadataAttribution;
}

/** How the versions of a set are put in order. */
export type VersioningScheme = 'LEXICOGRAPHIC_STRING' | 'ALPHANUMERIC_GENERATED_BY_DATAHUB';

/** The statement behind a view, and whether its result is stored. */
export interface ViewProperties {
  /** Whether the result of the view is stored. */
  materialized: boolean;
  /** The statement that defines the view. */
  viewLogic: string;
  /** The statement laid out for reading. */
  formattedViewLogic?: string;
  /** Language of the statement. */
  viewLanguage: string;
}

export interface VolumeAssertionInfo {
  type: VolumeAssertionType;
  entity: string;
  rowCountTotal?: RowCountTotal;
  rowCountChange?: RowCountChange;
  incrementingSegmentRowCountTotal?: IncrementingSegmentRowCountTotal;
  incrementingSegmentRowCountChange?: IncrementingSegmentRowCountChange;
  filter?: DatasetFilter;
}

export type VolumeAssertionType =
  | 'ROW_COUNT_TOTAL'
  | 'ROW_COUNT_CHANGE'
  | 'INCREMENTING_SEGMENT_ROW_COUNT_TOTAL'
  | 'INCREMENTING_SEGMENT_ROW_COUNT_CHANGE';

/** The type of each aspect's value, by the name of the aspect. */
export interface AspectValues {
  access: Access;
  actors: Actors;
  agentSkillInfo: AgentSkillInfo;
  agentSkillKey: AgentSkillKey;
  aiAgentDependencies: AIAgentDependencies;
  aiAgentInfo: AIAgentInfo;
  aiAgentKey: AIAgentKey;
  aiContext: AiContext;
  aliases: Aliases;
  apiKey: ApiKey;
  apiProperties: ApiProperties;
  apiSignature: ApiSignature;
  applicationKey: ApplicationKey;
  applicationLineage: ApplicationLineage;
  applicationProperties: ApplicationProperties;
  applications: Applications;
  assertionActions: AssertionActions;
  assertionInfo: AssertionInfo;
  assertionKey: AssertionKey;
  assertionNote: AssertionNote;
  assertionRunEvent: AssertionRunEvent;
  assertionRunSummary: AssertionRunSummary;
  assetSettings: AssetSettings;
  browsePaths: BrowsePaths;
  browsePathsV2: BrowsePathsV2;
  businessAttributeInfo: BusinessAttributeInfo;
  businessAttributeKey: BusinessAttributeKey;
  businessAttributes: BusinessAttributes;
  chartInfo: ChartInfo;
  chartKey: ChartKey;
  chartQuery: ChartQuery;
  chartUsageStatistics: ChartUsageStatistics;
  container: Container;
  containerKey: ContainerKey;
  containerProperties: ContainerProperties;
  corpGroupEditableInfo: CorpGroupEditableInfo;
  corpGroupInfo: CorpGroupInfo;
  corpGroupKey: CorpGroupKey;
  corpUserCredentials: CorpUserCredentials;
  corpUserEditableInfo: CorpUserEditableInfo;
  corpUserInfo: CorpUserInfo;
  corpUserKey: CorpUserKey;
  corpUserSettings: CorpUserSettings;
  corpUserStatus: CorpUserStatus;
  cost: Cost;
  dashboardInfo: DashboardInfo;
  dashboardKey: DashboardKey;
  dashboardUsageStatistics: DashboardUsageStatistics;
  dataContractKey: DataContractKey;
  dataContractProperties: DataContractProperties;
  dataContractStatus: DataContractStatus;
  dataFlowInfo: DataFlowInfo;
  dataFlowKey: DataFlowKey;
  dataHubAccessTokenInfo: DataHubAccessTokenInfo;
  dataHubAccessTokenKey: DataHubAccessTokenKey;
  dataHubActionKey: DataHubActionKey;
  dataHubConnectionDetails: DataHubConnectionDetails;
  dataHubConnectionKey: DataHubConnectionKey;
  dataHubExecutionRequestInput: ExecutionRequestInput;
  dataHubExecutionRequestKey: ExecutionRequestKey;
  dataHubExecutionRequestResult: ExecutionRequestResult;
  dataHubExecutionRequestSignal: ExecutionRequestSignal;
  dataHubFileInfo: DataHubFileInfo;
  dataHubFileKey: DataHubFileKey;
  dataHubIngestionSourceInfo: DataHubIngestionSourceInfo;
  dataHubIngestionSourceKey: DataHubIngestionSourceKey;
  dataHubOpenAPISchemaKey: DataHubOpenAPISchemaKey;
  dataHubPageModuleKey: DataHubPageModuleKey;
  dataHubPageModuleProperties: DataHubPageModuleProperties;
  dataHubPageTemplateKey: DataHubPageTemplateKey;
  dataHubPageTemplateProperties: DataHubPageTemplateProperties;
  dataHubPersonaInfo: DataHubPersonaInfo;
  dataHubPersonaKey: DataHubPersonaKey;
  dataHubPolicyInfo: DataHubPolicyInfo;
  dataHubPolicyKey: DataHubPolicyKey;
  dataHubRetentionConfig: DataHubRetentionConfig;
  dataHubRetentionKey: DataHubRetentionKey;
  dataHubRoleInfo: DataHubRoleInfo;
  dataHubRoleKey: DataHubRoleKey;
  dataHubSecretKey: DataHubSecretKey;
  dataHubSecretValue: DataHubSecretValue;
  dataHubStepStateKey: DataHubStepStateKey;
  dataHubStepStateProperties: DataHubStepStateProperties;
  dataHubUpgradeKey: DataHubUpgradeKey;
  dataHubUpgradeRequest: DataHubUpgradeRequest;
  dataHubUpgradeResult: DataHubUpgradeResult;
  dataHubViewInfo: DataHubViewInfo;
  dataHubViewKey: DataHubViewKey;
  dataJobInfo: DataJobInfo;
  dataJobInputOutput: DataJobInputOutput;
  dataJobKey: DataJobKey;
  dataPlatformInfo: DataPlatformInfo;
  dataPlatformInstance: DataPlatformInstance;
  dataPlatformInstanceKey: DataPlatformInstanceKey;
  dataPlatformInstanceProperties: DataPlatformInstanceProperties;
  dataPlatformKey: DataPlatformKey;
  dataProcessInfo: DataProcessInfo;
  dataProcessInstanceInput: DataProcessInstanceInput;
  dataProcessInstanceKey: DataProcessInstanceKey;
  dataProcessInstanceOutput: DataProcessInstanceOutput;
  dataProcessInstanceProperties: DataProcessInstanceProperties;
  dataProcessInstanceRelationships: DataProcessInstanceRelationships;
  dataProcessInstanceRunEvent: DataProcessInstanceRunEvent;
  dataProcessKey: DataProcessKey;
  dataProductKey: DataProductKey;
  dataProductProperties: DataProductProperties;
  dataProducts: DataProducts;
  dataTransformLogic: DataTransformLogic;
  dataTypeInfo: DataTypeInfo;
  dataTypeKey: DataTypeKey;
  datahubIngestionCheckpoint: DatahubIngestionCheckpoint;
  datahubIngestionRunSummary: DatahubIngestionRunSummary;
  datasetDeprecation: DatasetDeprecation;
  datasetKey: DatasetKey;
  datasetProfile: DatasetProfile;
  datasetProperties: DatasetProperties;
  datasetUpstreamLineage: DatasetUpstreamLineage;
  datasetUsageStatistics: DatasetUsageStatistics;
  deprecation: Deprecation;
  displayProperties: DisplayProperties;
  documentInfo: DocumentInfo;
  documentKey: DocumentKey;
  documentSettings: DocumentSettings;
  documentUsageStatistics: DocumentUsageStatistics;
  documentation: Documentation;
  domainKey: DomainKey;
  domainProperties: DomainProperties;
  domains: Domains;
  dynamicFormAssignment: DynamicFormAssignment;
  editableChartProperties: EditableChartProperties;
  editableContainerProperties: EditableContainerProperties;
  editableDashboardProperties: EditableDashboardProperties;
  editableDataFlowProperties: EditableDataFlowProperties;
  editableDataJobProperties: EditableDataJobProperties;
  editableDatasetProperties: EditableDatasetProperties;
  editableERModelRelationshipProperties: EditableERModelRelationshipProperties;
  editableMlFeatureProperties: EditableMLFeatureProperties;
  editableMlFeatureTableProperties: EditableMLFeatureTableProperties;
  editableMlModelGroupProperties: EditableMLModelGroupProperties;
  editableMlModelProperties: EditableMLModelProperties;
  editableMlPrimaryKeyProperties: EditableMLPrimaryKeyProperties;
  editableNotebookProperties: EditableNotebookProperties;
  editableSchemaMetadata: EditableSchemaMetadata;
  embed: Embed;
  entityTypeInfo: EntityTypeInfo;
  entityTypeKey: EntityTypeKey;
  erModelRelationshipKey: ERModelRelationshipKey;
  erModelRelationshipProperties: ERModelRelationshipProperties;
  formInfo: FormInfo;
  formKey: FormKey;
  forms: Forms;
  globalSettingsInfo: GlobalSettingsInfo;
  globalSettingsKey: GlobalSettingsKey;
  globalTags: GlobalTags;
  glossaryNodeInfo: GlossaryNodeInfo;
  glossaryNodeKey: GlossaryNodeKey;
  glossaryRelatedTerms: GlossaryRelatedTerms;
  glossaryTermInfo: GlossaryTermInfo;
  glossaryTermKey: GlossaryTermKey;
  glossaryTerms: GlossaryTerms;
  groupMembership: GroupMembership;
  icebergCatalogInfo: IcebergCatalogInfo;
  icebergWarehouseInfo: IcebergWarehouseInfo;
  incidentExternalLinks: IncidentExternalLinks;
  incidentInfo: IncidentInfo;
  incidentKey: IncidentKey;
  incidentNotes: IncidentNotes;
  incidentsSummary: IncidentsSummary;
  inputFields: InputFields;
  institutionalMemory: InstitutionalMemory;
  intendedUse: IntendedUse;
  inviteToken: InviteToken;
  inviteTokenKey: InviteTokenKey;
  lifecycleStageTypeInfo: LifecycleStageTypeInfo;
  lifecycleStageTypeKey: LifecycleStageTypeKey;
  logicalParent: LogicalParent;
  mcpServerProperties: McpServerProperties;
  metricInfo: MetricInfo;
  metricKey: MetricKey;
  metricRelationships: MetricRelationships;
  metricUpstreams: MetricUpstreams;
  mlFeatureKey: MLFeatureKey;
  mlFeatureProperties: MLFeatureProperties;
  mlFeatureTableKey: MLFeatureTableKey;
  mlFeatureTableProperties: MLFeatureTableProperties;
  mlModelCaveatsAndRecommendations: CaveatsAndRecommendations;
  mlModelDeploymentKey: MLModelDeploymentKey;
  mlModelDeploymentProperties: MLModelDeploymentProperties;
  mlModelEthicalConsiderations: EthicalConsiderations;
  mlModelEvaluationData: EvaluationData;
  mlModelFactorPrompts: MLModelFactorPrompts;
  mlModelGroupKey: MLModelGroupKey;
  mlModelGroupProperties: MLModelGroupProperties;
  mlModelKey: MLModelKey;
  mlModelMetrics: Metrics;
  mlModelProperties: MLModelProperties;
  mlModelQuantitativeAnalyses: QuantitativeAnalyses;
  mlModelTrainingData: TrainingData;
  mlPrimaryKeyKey: MLPrimaryKeyKey;
  mlPrimaryKeyProperties: MLPrimaryKeyProperties;
  mlTrainingRunProperties: MLTrainingRunProperties;
  nativeGroupMembership: NativeGroupMembership;
  notebookContent: NotebookContent;
  notebookInfo: NotebookInfo;
  notebookKey: NotebookKey;
  operation: Operation;
  origin: Origin;
  ownership: Ownership;
  ownershipTypeInfo: OwnershipTypeInfo;
  ownershipTypeKey: OwnershipTypeKey;
  partitionsSummary: PartitionsSummary;
  platformResourceInfo: PlatformResourceInfo;
  platformResourceKey: PlatformResourceKey;
  postInfo: PostInfo;
  postKey: PostKey;
  propertyDefinition: StructuredPropertyDefinition;
  queryKey: QueryKey;
  queryProperties: QueryProperties;
  querySubjects: QuerySubjects;
  queryUsageStatistics: QueryUsageStatistics;
  repositoryKey: RepositoryKey;
  repositoryLineage: RepositoryLineage;
  repositoryProperties: RepositoryProperties;
  repositorySource: RepositorySource;
  restApiProperties: RestApiProperties;
  roleKey: RoleKey;
  roleMembership: RoleMembership;
  roleProperties: RoleProperties;
  schemaFieldAliases: SchemaFieldAliases;
  schemaFieldKey: SchemaFieldKey;
  schemaMetadata: SchemaMetadata;
  schemafieldInfo: SchemaFieldInfo;
  semanticContent: SemanticContent;
  semanticFieldAnnotation: SemanticFieldAnnotation;
  semanticModelInfo: SemanticModelInfo;
  semanticModelKey: SemanticModelKey;
  semanticModelProperties: SemanticModelProperties;
  semanticText: SemanticText;
  serviceDefinition: ServiceDefinition;
  serviceKey: ServiceKey;
  serviceProperties: ServiceProperties;
  siblings: Siblings;
  slackUserInfo: SlackUserInfo;
  sourceCode: SourceCode;
  status: Status;
  storageFeatures: StorageFeatures;
  structuredProperties: StructuredProperties;
  structuredPropertyKey: StructuredPropertyKey;
  structuredPropertySettings: StructuredPropertySettings;
  subTypes: SubTypes;
  systemMetadata: SystemMetadata;
  tagKey: TagKey;
  tagProperties: TagProperties;
  telemetryClientId: TelemetryClientId;
  telemetryKey: TelemetryKey;
  testInfo: TestInfo;
  testKey: TestKey;
  testResults: TestResults;
  upstreamLineage: UpstreamLineage;
  upstreamMetrics: UpstreamMetrics;
  usageFeatures: UsageFeatures;
  versionInfo: VersionInfo;
  versionProperties: VersionProperties;
  versionSetKey: VersionSetKey;
  versionSetProperties: VersionSetProperties;
  viewProperties: ViewProperties;
}
