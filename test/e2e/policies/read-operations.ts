import { dataset } from './policies.js';

/**
 * What each operation that reads tells callers from whom policies hide something. Every operation that docs/roles.md has
 * as one that reads stands here once.
 *
 * - `absent`: of what is hidden it says what it says of what does not exist;
 * - `left out`: it answers without what is hidden;
 * - `counted`: it names nothing, and counts what is not hidden;
 * - `refused`: it tells of the catalog as a whole, and answers 403;
 * - `nothing`: it tells of no entity, whoever asks.
 */
export type Told = 'absent' | 'left out' | 'counted' | 'refused' | 'nothing';

/** What a request is about: something hidden, something that may be read, or something that does not exist. */
export interface About {
  dataset: string;
  /** The trace of a write to the dataset, or one of none. */
  trace: string;
  /** The trace of a deletion. */
  erasure: string;
  /** The last part of the URNs of entities of other kinds. */
  name: string;
}

/** A request: method, path with the query, and body. */
export type Request = [method: string, path: string, body?: unknown];

export interface RestRow {
  told: Told;
  request: (about: About) => Request;
}

/** What the values of something visible say is shown as it is stored (docs/guides/policies.md): here, what it names. */
export const SHOWN_AS_STORED = 'urn:li:dataProduct:wild';

const NONE = '0'.repeat(32);

export const ABOUT = {
  hidden: { dataset: dataset('shop.zebra'), trace: '', erasure: '', name: 'zebra' },
  visible: { dataset: dataset('shop.lion'), trace: '', erasure: '', name: 'lion' },
  absent: { dataset: dataset('shop.dodo'), trace: NONE, erasure: NONE, name: 'dodo' },
} satisfies Record<string, About>;

const urn = encodeURIComponent;
const get = (told: Told, path: (about: About) => string): RestRow => ({
  told,
  request: (about) => ['GET', path(about)],
});
const head = (told: Told, path: (about: About) => string): RestRow => ({
  told,
  request: (about) => ['HEAD', path(about)],
});
const post = (told: Told, path: string, body: (about: About) => unknown): RestRow => ({
  told,
  request: (about) => ['POST', path, body(about)],
});

const PAGE = { start: 0, count: 50 };
const PROPERTIES = 'datasetProperties';
const TAG = 'urn:li:tag:wild';
const FEED = 'lookbackWindowDays=1&topic=';

export const REST: Record<string, RestRow> = {
  'POST /aspects?action=getTimeseriesAspectValues': post(
    'absent',
    '/aspects?action=getTimeseriesAspectValues',
    (about) => ({ urn: about.dataset, entity: 'dataset', aspect: 'operation' }),
  ),
  'POST /usageStats?action=queryRange': post('absent', '/usageStats?action=queryRange', (about) => ({
    resource: about.dataset,
    duration: 'DAY',
  })),
  'POST /usageStats?action=query': post('absent', '/usageStats?action=query', (about) => ({
    resource: about.dataset,
    duration: 'DAY',
  })),
  'POST /analytics?action=getTimeseriesStats': post(
    'left out',
    '/analytics?action=getTimeseriesStats',
    () => ({
      entityName: 'dataset',
      aspectName: 'datasetUsageStatistics',
      metrics: [{ fieldPath: 'topSqlQueries', aggregationType: 'LATEST' }],
      buckets: [{ key: 'urn', type: 'STRING_GROUPING_BUCKET' }],
    }),
  ),
  'POST /aspects?action=getCount': post('refused', '/aspects?action=getCount', () => ({
    aspect: PROPERTIES,
  })),
  'POST /entities?action=search': post('left out', '/entities?action=search', () => ({
    entity: 'dataset',
    input: 'shared',
    ...PAGE,
  })),
  'POST /entities?action=searchAcrossEntities': post(
    'left out',
    '/entities?action=searchAcrossEntities',
    () => ({ entities: [], input: '*', ...PAGE }),
  ),
  'POST /entities?action=scrollAcrossEntities': post(
    'left out',
    '/entities?action=scrollAcrossEntities',
    () => ({ entities: ['dataset'], input: '*', count: 50 }),
  ),
  'POST /entities?action=searchAcrossLineage': post(
    'left out',
    '/entities?action=searchAcrossLineage',
    () => ({ urn: ABOUT.visible.dataset, direction: 'DOWNSTREAM', ...PAGE }),
  ),
  'POST /entities?action=scrollAcrossLineage': post(
    'left out',
    '/entities?action=scrollAcrossLineage',
    () => ({ urn: ABOUT.visible.dataset, direction: 'DOWNSTREAM', count: 50 }),
  ),
  'POST /relationships?action=getLineage': post('left out', '/relationships?action=getLineage', () => ({
    urn: ABOUT.visible.dataset,
    direction: 'DOWNSTREAM',
    maxHops: 5,
  })),
  'POST /entities?action=filter': post('left out', '/entities?action=filter', () => ({
    entity: 'dataset',
    filter: { or: [{ and: [{ field: 'tags', condition: 'EQUAL', values: [TAG] }] }] },
    ...PAGE,
  })),
  'POST /entities?action=list': post('left out', '/entities?action=list', () => ({
    entity: 'dataset',
    ...PAGE,
  })),
  'POST /entities?action=autocomplete': post('left out', '/entities?action=autocomplete', () => ({
    entity: 'dataset',
    query: 'shop',
    limit: 50,
  })),
  'POST /entities?action=browse': post('left out', '/entities?action=browse', () => ({
    entity: 'dataset',
    path: '/prod/hive/shop',
    start: 0,
    limit: 50,
  })),
  'POST /entities?action=getBrowsePaths': post('absent', '/entities?action=getBrowsePaths', (about) => ({
    urn: about.dataset,
  })),
  'POST /entities?action=exists': post('absent', '/entities?action=exists', (about) => ({
    urn: about.dataset,
  })),
  'POST /entities?action=filterExistingUrns': post(
    'absent',
    '/entities?action=filterExistingUrns',
    (about) => ({ request: { urns: [about.dataset] } }),
  ),
  'POST /entities?action=listUrns': post('refused', '/entities?action=listUrns', () => ({
    entity: 'dataset',
    ...PAGE,
  })),
  'POST /entities?action=getTotalEntityCount': post(
    'refused',
    '/entities?action=getTotalEntityCount',
    () => ({
      entity: 'dataset',
    }),
  ),
  'POST /entities?action=batchGetTotalEntityCount': post(
    'refused',
    '/entities?action=batchGetTotalEntityCount',
    () => ({ entities: ['dataset'] }),
  ),
  'POST /runs?action=list': post('refused', '/runs?action=list', () => ({})),
  'POST /runs?action=describe': post('refused', '/runs?action=describe', () => ({
    runId: 'nightly',
    ...PAGE,
  })),
  'POST /operations?action=propertyRemovals': post(
    'nothing',
    '/operations?action=propertyRemovals',
    () => ({}),
  ),
  'GET /aspects/{urn}': get(
    'absent',
    (about) => `/aspects/${urn(about.dataset)}?aspect=${PROPERTIES}&version=0`,
  ),
  'GET /entitiesV2/{urn}': get('absent', (about) => `/entitiesV2/${urn(about.dataset)}`),
  'GET /entitiesV2': get('absent', (about) => `/entitiesV2?ids=List(${urn(about.dataset)})`),
  'GET /entitiesVersionedV2': get(
    'absent',
    (about) =>
      `/entitiesVersionedV2?entityType=dataset&ids=List(${urn(`(urn:${about.dataset},versionStamp:datasetProperties:1)`)})`,
  ),
  'GET /entities': get('absent', (about) => `/entities?ids=List(${urn(about.dataset)})`),
  'GET /entities/{urn}': get('absent', (about) => `/entities/${urn(about.dataset)}`),
  'GET /relationships': get(
    'left out',
    () => `/relationships?direction=INCOMING&urn=${urn(TAG)}&types=List(TaggedWith)`,
  ),
  'GET /openapi/{v2,v3}/entity/{entity}': get('left out', () => '/openapi/v3/entity/dataset?count=50'),
  'POST /openapi/v3/entity/{entity}/batchGet': post(
    'absent',
    '/openapi/v3/entity/dataset/batchGet',
    (about) => [{ urn: about.dataset }],
  ),
  'GET /openapi/{v2,v3}/entity/{entity}/{urn}': get(
    'absent',
    (about) => `/openapi/v3/entity/dataset/${urn(about.dataset)}`,
  ),
  'HEAD /openapi/{v2,v3}/entity/{entity}/{urn}': head(
    'absent',
    (about) => `/openapi/v3/entity/dataset/${urn(about.dataset)}`,
  ),
  'POST /openapi/v2/entity/batch/{entity}': post('absent', '/openapi/v2/entity/batch/dataset', (about) => ({
    urns: [about.dataset],
  })),
  'GET /openapi/{v2,v3}/entity/{entity}/{urn}/{aspect}': get(
    'absent',
    (about) => `/openapi/v3/entity/dataset/${urn(about.dataset)}/${PROPERTIES}?version=1`,
  ),
  'HEAD /openapi/{v2,v3}/entity/{entity}/{urn}/{aspect}': head(
    'absent',
    (about) => `/openapi/v3/entity/dataset/${urn(about.dataset)}/${PROPERTIES}`,
  ),
  'POST /openapi/v3/entity/scroll': post('left out', '/openapi/v3/entity/scroll?count=50', () => ({
    entities: ['dataset'],
  })),
  'POST /openapi/v3/entity/generic/batchGet': post(
    'absent',
    '/openapi/v3/entity/generic/batchGet',
    (about) => ({ dataset: [{ urn: about.dataset }] }),
  ),
  'GET /openapi/v1/entities/counts': get('refused', () => '/openapi/v1/entities/counts?types=dataset'),
  'GET /openapi/v1/entities/{entityType}/count': get('refused', () => '/openapi/v1/entities/dataset/count'),
  'GET /openapi/v3/relationship/{relationshipType}': get(
    'left out',
    () => '/openapi/v3/relationship/TaggedWith?count=50',
  ),
  'GET /openapi/v3/relationship/{entity}/{urn}': get(
    'absent',
    (about) => `/openapi/v3/relationship/dataset/${urn(about.dataset)}?direction=OUTGOING`,
  ),
  'POST /openapi/v3/relationship/scroll': post(
    'left out',
    '/openapi/v3/relationship/scroll?count=50',
    () => ({}),
  ),
  'POST /openapi/v3/lineage/scroll': post(
    'left out',
    '/openapi/v3/lineage/scroll?count=50&direction=DOWNSTREAM',
    () => ({ urns: [ABOUT.visible.dataset] }),
  ),
  'GET /openapi/v2/relationship/{relationshipType}': get(
    'left out',
    () => '/openapi/v2/relationship/DownstreamOf?count=50',
  ),
  'GET /openapi/v2/relationship/{entity}/{urn}': get(
    'absent',
    (about) => `/openapi/v2/relationship/dataset/${urn(about.dataset)}?direction=OUTGOING`,
  ),
  'POST /openapi/v2/relationship/scroll': post(
    'left out',
    '/openapi/v2/relationship/scroll?count=50',
    () => ({}),
  ),
  'GET /openapi/relationships/v1': get(
    'left out',
    () => `/openapi/relationships/v1?direction=INCOMING&urn=${urn(TAG)}&relationshipTypes=TaggedWith`,
  ),
  'GET /openapi/v2/timeline/v1/{urn}': get(
    'absent',
    (about) => `/openapi/v2/timeline/v1/${urn(about.dataset)}?categories=TAG,DOCUMENTATION&raw=true`,
  ),
  'GET /openapi/timeline/v1/{urn}': get(
    'absent',
    (about) => `/openapi/timeline/v1/${urn(about.dataset)}?categories=TAG,DOCUMENTATION`,
  ),
  'GET /openapi/v2/timeseries/{entity}/{aspect}': get(
    'left out',
    () => '/openapi/v2/timeseries/dataset/operation?count=50',
  ),
  'GET /openapi/v1/events/poll': get(
    'left out',
    () =>
      `/openapi/v1/events/poll?${FEED}MetadataChangeLog_Versioned_v1&entityType=dataset&pollTimeoutSeconds=0&limit=1000`,
  ),
  'GET /openapi/v1/events/stream': get(
    'left out',
    () => `/openapi/v1/events/stream?${FEED}PlatformEvent_v1&entityType=dataset`,
  ),
  'GET /openapi/v1/trace/references/{traceId}': get(
    'refused',
    (about) => `/openapi/v1/trace/references/${about.erasure}`,
  ),
  'GET /openapi/v1/trace/write/{traceId}': get('absent', (about) => `/openapi/v1/trace/write/${about.trace}`),
  'POST /openapi/v1/trace/write/{traceId}': {
    told: 'absent',
    request: (about) => [
      'POST',
      `/openapi/v1/trace/write/${about.trace}`,
      { [about.dataset]: ['datasetProperties'] },
    ],
  },
  'GET /openapi/v1/registry/models/entity/specifications': get(
    'nothing',
    () => '/openapi/v1/registry/models/entity/specifications',
  ),
  'GET /openapi/v1/registry/models/entity/specifications/{entity}': get(
    'nothing',
    () => '/openapi/v1/registry/models/entity/specifications/dataset',
  ),
  'GET /openapi/v1/registry/models/entity/specifications/{entity}/aspects': get(
    'nothing',
    () => '/openapi/v1/registry/models/entity/specifications/dataset/aspects',
  ),
  'GET /openapi/v1/registry/models/aspect/specifications': get(
    'nothing',
    () => '/openapi/v1/registry/models/aspect/specifications',
  ),
  'GET /openapi/v1/registry/models/aspect/specifications/{aspect}': get(
    'nothing',
    () => `/openapi/v1/registry/models/aspect/specifications/${PROPERTIES}`,
  ),
  'GET /openapi/entities/v1/latest': get(
    'absent',
    (about) => `/openapi/entities/v1/latest?urns=${urn(about.dataset)}`,
  ),
  'GET /metrics': get('nothing', () => '/metrics'),
};

/**
 * Routes that docs/roles.md does not have, as they need no token, or only carry operations that it has: whoever asks and
 * whatever about, they tell nothing of what is catalogued.
 */
export const OUTSIDE: Record<string, (about: About) => Request> = {
  'GET /': () => ['GET', '/'],
  'GET /admin': () => ['GET', '/admin'],
  'GET /authenticate': (about) => ['GET', `/authenticate?redirect_uri=/${about.name}`],
  'GET /config': () => ['GET', '/config?verbose=true'],
  'GET /graphiql': () => ['GET', '/graphiql'],
  'GET /graphiql/{digest}/{file}': (about) => ['GET', `/graphiql/x/${about.name}`],
  'GET /health': () => ['GET', '/health'],
  'GET /health/live': () => ['GET', '/health/live'],
  'GET /health/ready': () => ['GET', '/health/ready'],
  'GET /home/{digest}/{file}': (about) => ['GET', `/home/x/${about.name}`],
  'POST /logIn': (about) => ['POST', '/logIn', { username: about.name, password: 'not the right one' }],
  'GET /logOut': () => ['GET', '/logOut'],
  'POST /logOut': () => ['POST', '/logOut'],
  'GET /mfe/config': () => ['GET', '/mfe/config'],
  'GET /openapi/swagger-ui': () => ['GET', '/openapi/swagger-ui'],
  'GET /openapi/swagger-ui/{digest}/{file}': (about) => ['GET', `/openapi/swagger-ui/x/${about.name}`],
  'GET /openapi/swagger-ui/{file}': (about) => ['GET', `/openapi/swagger-ui/${about.name}`],
  'POST /openapi/v1/tracking/track': (about) => [
    'POST',
    '/openapi/v1/tracking/track',
    { entityUrn: about.dataset },
  ],
  'GET /openapi/v3/api-docs': () => ['GET', '/openapi/v3/api-docs'],
  'GET /openapi/v3/api-docs/{name}': (about) => ['GET', `/openapi/v3/api-docs/${about.name}`],
  'POST /resetNativeUserCredentials': (about) => [
    'POST',
    '/resetNativeUserCredentials',
    { resetToken: 'none', email: about.name, password: 'a long walk by the sea' },
  ],
  'GET /restli/docs': () => ['GET', '/restli/docs'],
  'POST /signUp': (about) => [
    'POST',
    '/signUp',
    {
      inviteToken: 'none',
      email: about.name,
      fullName: about.name,
      title: 'Other',
      password: 'a long walk by the sea',
    },
  ],
  'POST /track': (about) => ['POST', '/track', { entityUrn: about.dataset }],
  'GET /web': (about) => ['GET', `/web?query=${about.name}`],
  'GET /web/{digest}/{file}': (about) => ['GET', `/web/x/${about.name}`],
};

/**
 * What needs `manage` and could tell of what is catalogued, or lead it out: administrators are above policies, and
 * everybody else is refused, whatever there is. The export is asked for in each way there is.
 */
export const MANAGED: Record<string, (about: About) => Request> = {
  'GET /openapi/v3/export': () => ['GET', '/openapi/v3/export'],
  'GET /openapi/v3/export, of a type': () => ['GET', '/openapi/v3/export?entityType=dataset'],
  'GET /openapi/v3/export, of URNs': (about) => ['GET', `/openapi/v3/export?urn=List(${urn(about.dataset)})`],
  'GET /openapi/v3/export, by a query': (about) => ['GET', `/openapi/v3/export?query=${about.name}`],
  'POST /openapi/v1/events/audit/search': () => [
    'POST',
    '/openapi/v1/events/audit/search',
    { entityTypes: ['dataset'] },
  ],
  'POST /operations?action=listWebhooks': () => ['POST', '/operations?action=listWebhooks', {}],
  'POST /operations?action=registerWebhook': () => [
    'POST',
    '/operations?action=registerWebhook',
    { name: 'bea', url: 'https://example.org/hook' },
  ],
  'POST /operations?action=listFeedConsumers': () => ['POST', '/operations?action=listFeedConsumers', {}],
  'POST /operations?action=registerFeedConsumer': () => [
    'POST',
    '/operations?action=registerFeedConsumer',
    { name: 'bea' },
  ],
  'POST /operations?action=verify': () => ['POST', '/operations?action=verify', {}],
  'POST /operations?action=verifyStore': () => ['POST', '/operations?action=verifyStore', {}],
  'POST /operations?action=listJobs': () => ['POST', '/operations?action=listJobs', {}],
  'POST /operations?action=failedWrites': () => ['POST', '/operations?action=failedWrites', {}],
  'POST /operations?action=restoreIndices': (about) => [
    'POST',
    '/operations?action=restoreIndices',
    { urn: about.dataset },
  ],
  'POST /aspects?action=restoreIndices': (about) => [
    'POST',
    '/aspects?action=restoreIndices',
    { urn: about.dataset },
  ],
};

export interface GraphqlRow {
  told: Told;
  /** Values of arguments. @param caller the URN of who asks */
  args?: (about: About, caller: string) => Record<string, unknown>;
}

const list = (input: object = {}): GraphqlRow => ({
  told: 'left out',
  args: () => ({ input: { ...PAGE, ...input } }),
});
const search = (more: Record<string, unknown> = {}): GraphqlRow => ({
  told: 'left out',
  args: () => ({ input: { query: '*', ...PAGE, ...more } }),
});
/** The entity of a URN, of a kind of which the data of the test has three. */
const entity = (urnOf: (name: string) => string): GraphqlRow => ({
  told: 'absent',
  args: ({ name }) => ({ urn: urnOf(name) }),
});
const simple = (kind: string): GraphqlRow => entity((name) => `urn:li:${kind}:${name}`);
const aboutDataset = (input: (urn: string) => Record<string, unknown>): GraphqlRow => ({
  told: 'absent',
  args: (about) => ({ input: input(about.dataset) }),
});
const nothing: GraphqlRow = { told: 'nothing' };

/** Kinds of which hidden entities are made for the test, by the field that reads one, with an aspect for each. */
export const KINDS: Record<string, [kind: string, aspect: string, value: (name: string) => object]> = {
  container: ['container', 'containerProperties', (name) => ({ name })],
  corpGroup: [
    'corpGroup',
    'corpGroupInfo',
    (name) => ({ displayName: name, admins: [], members: [], groups: [] }),
  ],
  dataHubRole: ['dataHubRole', 'dataHubRoleInfo', (name) => ({ name, description: name, editable: false })],
  corpUser: ['corpuser', 'corpUserInfo', (name) => ({ displayName: name, active: true })],
  dataHubView: [
    'dataHubView',
    'dataHubViewInfo',
    (name) => ({
      name,
      type: 'GLOBAL',
      definition: { entityTypes: ['dataset'], filter: { or: [] } },
      created: { time: 1, actor: 'urn:li:corpuser:ann' },
      lastModified: { time: 1, actor: 'urn:li:corpuser:ann' },
    }),
  ],
  dataProduct: ['dataProduct', 'dataProductProperties', (name) => ({ name })],
  domain: ['domain', 'domainProperties', (name) => ({ name })],
  glossaryNode: ['glossaryNode', 'glossaryNodeInfo', (name) => ({ name, definition: name })],
  glossaryTerm: [
    'glossaryTerm',
    'glossaryTermInfo',
    (name) => ({ name, definition: name, termSource: 'INTERNAL' }),
  ],
  ingestionSource: [
    'dataHubIngestionSource',
    'dataHubIngestionSourceInfo',
    (name) => ({ name, type: 'mysql', config: { recipe: '{}' } }),
  ],
  ownershipType: [
    'ownershipType',
    'ownershipTypeInfo',
    (name) => ({
      name,
      created: { time: 1, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 1, actor: 'urn:li:corpuser:x' },
    }),
  ],
  post: [
    'post',
    'postInfo',
    (name) => ({
      type: 'HOME_PAGE_ANNOUNCEMENT',
      content: { title: name, type: 'TEXT' },
      created: 1,
      lastModified: 1,
    }),
  ],
  query: [
    'query',
    'queryProperties',
    (name) => ({
      name,
      statement: { value: 'select 1', language: 'SQL' },
      source: 'MANUAL',
      created: { time: 1, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 1, actor: 'urn:li:corpuser:x' },
    }),
  ],
  tag: ['tag', 'tagProperties', (name) => ({ name })],
};

export const GRAPHQL: Record<string, GraphqlRow> = {
  ...Object.fromEntries(Object.entries(KINDS).map(([field, [kind]]) => [field, simple(kind)])),
  dataset: { told: 'absent', args: (about) => ({ urn: about.dataset }) },
  entity: { told: 'absent', args: (about) => ({ urn: about.dataset }) },
  entities: { told: 'absent', args: (about) => ({ urns: [about.dataset] }) },
  entityExists: { told: 'absent', args: (about) => ({ urn: about.dataset }) },
  bulkEntityDataProducts: aboutDataset((of) => ({ urns: [of] })),
  browsePaths: aboutDataset((of) => ({ urn: of, type: 'DATASET' })),
  getTimeline: aboutDataset((of) => ({ urn: of })),
  getSchemaBlame: aboutDataset((of) => ({ datasetUrn: of })),
  getSchemaVersionList: aboutDataset((of) => ({ datasetUrn: of })),
  aggregateAcrossEntities: {
    told: 'left out',
    args: () => ({ input: { query: '*', facets: ['tags', 'owners'] } }),
  },
  autoComplete: { told: 'left out', args: () => ({ input: { type: 'DATASET', query: 'shop', limit: 50 } }) },
  autoCompleteForMultiple: {
    told: 'left out',
    args: () => ({ input: { types: ['DATASET'], query: 'shop', limit: 50 } }),
  },
  browse: list({ type: 'DATASET', path: ['prod', 'hive', 'shop'] }),
  browseV2: {
    told: 'counted',
    args: () => ({ input: { type: 'DATASET', path: [], query: '*', ...PAGE } }),
  },
  getEntityCounts: { told: 'counted', args: () => ({ input: { types: ['QUERY'] } }) },
  getRootGlossaryNodes: list(),
  getRootGlossaryTerms: list(),
  listRecommendations: {
    told: 'left out',
    args: () => ({ input: { userUrn: 'urn:li:corpuser:admin' } }),
  },
  listDataProductAssets: {
    told: 'left out',
    args: () => ({ urn: SHOWN_AS_STORED, input: { query: '*', ...PAGE } }),
  },
  listDomains: list(),
  listGlobalViews: list(),
  listGroups: list(),
  listIngestionSources: list(),
  listOwnershipTypes: list(),
  listPolicies: list(),
  listPosts: list(),
  listQueries: list(),
  listRoles: list(),
  listUsers: list(),
  search: search({ type: 'DATASET' }),
  searchAcrossEntities: search(),
  searchUsers: search(),
  semanticSearchAcrossEntities: search(),
  scrollAcrossEntities: { told: 'left out', args: () => ({ input: { query: '*', count: 50 } }) },
  searchAcrossLineage: {
    told: 'left out',
    args: () => ({ input: { urn: ABOUT.visible.dataset, direction: 'DOWNSTREAM', ...PAGE } }),
  },
  scrollAcrossLineage: {
    told: 'left out',
    args: () => ({ input: { urn: ABOUT.visible.dataset, direction: 'DOWNSTREAM', count: 50 } }),
  },
  // Of the caller, not of what is catalogued.
  me: nothing,
  getGrantedPrivileges: {
    told: 'nothing',
    args: (about, caller) => ({
      input: { actorUrn: caller, resourceSpec: { resourceType: 'DATASET', resourceUrn: about.dataset } },
    }),
  },
  getAccessToken: nothing,
  getAccessTokenMetadata: nothing,
  listAccessTokens: nothing,
  listSessions: nothing,
  listMyViews: nothing,
  batchGetStepStates: nothing,
  // Of the service.
  appConfig: nothing,
  globalHomePageSettings: nothing,
  globalViewsSettings: nothing,
  getInviteToken: nothing,
  getQuickFilters: nothing,
  getSecretValues: nothing,
  isAnalyticsEnabled: nothing,
};

/**
 * Queries for an entity of a kind by its URN, besides those above: `absent` for what is hidden. They are asked about
 * entities of the sample.
 */
export const BY_URN: readonly string[] = [
  'agentSkill',
  'aiAgent',
  'api',
  'application',
  'assertion',
  'businessAttribute',
  'chart',
  'connection',
  'dashboard',
  'dataContract',
  'dataFlow',
  'dataHubAccessToken',
  'dataHubAction',
  'dataHubFile',
  'dataHubOpenAPISchema',
  'dataHubPageModule',
  'dataHubPageTemplate',
  'dataHubPersona',
  'dataHubPolicy',
  'dataHubRetention',
  'dataHubSecret',
  'dataHubStepState',
  'dataHubUpgrade',
  'dataJob',
  'dataPlatform',
  'dataPlatformInstance',
  'dataProcess',
  'dataProcessInstance',
  'dataType',
  'document',
  'entityType',
  'erModelRelationship',
  'executionRequest',
  'form',
  'globalSettings',
  'incident',
  'inviteToken',
  'lifecycleStageType',
  'metric',
  'mlFeature',
  'mlFeatureTable',
  'mlModel',
  'mlModelDeployment',
  'mlModelGroup',
  'mlPrimaryKey',
  'notebook',
  'platformResource',
  'repository',
  'role',
  'schemaField',
  'semanticModel',
  'service',
  'structuredProperty',
  'telemetry',
  'test',
  'versionSet',
];
