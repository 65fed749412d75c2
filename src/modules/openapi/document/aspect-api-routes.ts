import type { MediaType, Parameter, Schema } from './openapi-types.js';
import type { Answer, Route, RouteContext } from './routes.js';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const VERSION: Parameter = {
  name: 'X-RestLi-Protocol-Version',
  in: 'header',
  required: true,
  description: 'The protocol of these calls.',
  schema: { type: 'string', enum: ['2.0.0'] },
  example: '2.0.0',
};

const object: Schema = { type: 'object' };
const value = (description: string): Answer => ({
  description,
  schema: { type: 'object', required: ['value'] },
});
const plain = (description: string): Answer => ({ description, schema: object });

function query(name: string, description: string, schema: Schema, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema, ...more };
}

const urnPath = (context: RouteContext): Parameter => ({
  name: 'urn',
  in: 'path',
  required: true,
  description: 'The URN, percent-encoded.',
  schema: context.schemas.anyUrn(),
  example: DATASET,
});

const listQuery = (name: string, description: string): Parameter =>
  query(name, description, { type: 'string', pattern: '^List\\(.*\\)$' });

/** One action of a resource: `POST /<resource>?action=<action>`. */
interface Action {
  action: string;
  summary: string;
  body: unknown;
}

const proposal = {
  entityType: 'dataset',
  entityUrn: DATASET,
  changeType: 'UPSERT',
  aspectName: 'status',
  aspect: { contentType: 'application/json', value: '{"removed":false}' },
};

const snapshot = {
  value: {
    'com.linkedin.metadata.snapshot.TagSnapshot': {
      urn: 'urn:li:tag:pii',
      aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'pii' } }],
    },
  },
};

/** The actions of each resource, with a call of each. */
export const ACTIONS: Readonly<Record<'aspects' | 'entities' | 'runs' | 'operations', readonly Action[]>> = {
  aspects: [
    { action: 'ingestProposal', summary: 'Writes one aspect of one entity', body: { proposal } },
    {
      action: 'ingestProposalBatch',
      summary: 'Carries out several proposals: all or none',
      body: { proposals: [proposal] },
    },
    {
      action: 'getTimeseriesAspectValues',
      summary: 'Reads the events of a time-series aspect, newest first',
      body: {
        urn: DATASET,
        entity: 'dataset',
        aspect: 'datasetProfile',
        startTimeMillis: 0,
        endTimeMillis: 1_900_000_000_000,
      },
    },
    {
      action: 'getCount',
      summary: 'Counts the entities that have an aspect',
      body: { aspect: 'status', urnLike: 'urn:li:dataset:%' },
    },
    {
      action: 'restoreIndices',
      summary: 'Writes entities to the search index again',
      body: { urn: DATASET },
    },
  ],
  entities: [
    {
      action: 'ingest',
      summary: 'Writes the aspects of one snapshot (deprecated)',
      body: { entity: snapshot },
    },
    {
      action: 'batchIngest',
      summary: 'Writes the aspects of several snapshots: all or none',
      body: { entities: [snapshot] },
    },
    {
      action: 'search',
      summary: 'Finds entities of one type',
      body: { entity: 'dataset', input: 'orders', start: 0, count: 10 },
    },
    {
      action: 'searchAcrossEntities',
      summary: 'Finds entities of several types',
      body: { entities: ['dataset', 'chart'], input: 'orders', start: 0, count: 10 },
    },
    {
      action: 'scrollAcrossEntities',
      summary: 'Walks over all hits page by page',
      body: { entities: ['dataset'], input: '*', count: 10 },
    },
    {
      action: 'filter',
      summary: 'Finds entities of one type by a filter alone',
      body: {
        entity: 'dataset',
        filter: { or: [{ and: [{ field: 'origin', condition: 'EQUAL', values: ['PROD'] }] }] },
        start: 0,
        count: 10,
      },
    },
    {
      action: 'list',
      summary: 'Lists the URNs of entities of one type',
      body: { entity: 'dataset', start: 0, count: 10 },
    },
    {
      action: 'autocomplete',
      summary: 'Completes the name of an entity',
      body: { entity: 'dataset', query: 'ord', limit: 10 },
    },
    {
      action: 'browse',
      summary: 'Shows one level of the tree of browse paths',
      body: { entity: 'dataset', path: '/prod', start: 0, limit: 10 },
    },
    {
      action: 'getBrowsePaths',
      summary: 'Tells where in the browse tree an entity is',
      body: { urn: DATASET },
    },
    { action: 'exists', summary: 'Tells whether an entity exists', body: { urn: DATASET } },
    {
      action: 'filterExistingUrns',
      summary: 'Picks the URNs of entities that exist',
      body: { urns: [DATASET] },
    },
    {
      action: 'listUrns',
      summary: 'Lists the URNs of entities of one type',
      body: { entity: 'dataset', start: 0, count: 10 },
    },
    {
      action: 'getTotalEntityCount',
      summary: 'Counts the entities of one type',
      body: { entity: 'dataset' },
    },
    {
      action: 'batchGetTotalEntityCount',
      summary: 'Counts the entities of several types',
      body: { entities: ['dataset'] },
    },
    { action: 'delete', summary: 'Deletes an entity for good', body: { urn: 'urn:li:tag:pii' } },
    {
      action: 'deleteReferences',
      summary: 'Removes the references to an entity',
      body: { urn: 'urn:li:tag:pii', dryRun: true },
    },
  ],
  runs: [
    { action: 'list', summary: 'Lists runs', body: { pageOffset: 0, pageSize: 100 } },
    {
      action: 'describe',
      summary: 'Describes what stands from a run',
      body: { runId: 'nightly-1', start: 0, count: 100 },
    },
    { action: 'rollback', summary: 'Rolls a run back', body: { runId: 'nightly-1', dryRun: true } },
  ],
  operations: [
    { action: 'verify', summary: 'Compares store and search index, and repairs the index', body: {} },
    { action: 'restoreIndices', summary: 'Writes entities to the search index again', body: {} },
  ],
};

function actionRoute(resource: keyof typeof ACTIONS, summary: string): Route<RouteContext> {
  const actions = ACTIONS[resource];
  const examples: NonNullable<MediaType['examples']> = Object.fromEntries(
    actions.map(({ action, summary: text, body }) => [action, { summary: text, value: body }]),
  );
  return {
    method: 'post',
    path: `/${resource}`,
    name: `call${resource.charAt(0).toUpperCase()}${resource.slice(1)}`,
    summary: () => summary,
    description: actions.map(({ action, summary: text }) => `- \`${action}\`: ${text}`).join('\n'),
    surface: 'aspect-api',
    more: () => [
      query(
        'action',
        'What to do.',
        { type: 'string', enum: actions.map(({ action }) => action) },
        { required: true, example: actions[0]!.action },
      ),
      { ...VERSION, required: false },
    ],
    body: () => ({ media: { schema: object, examples } }),
    answers: () => ({ 200: plain('The result, mostly below `value`.') }),
    errors: [400, 404, 409, 412, 413, 422],
  };
}

/** The aspect and entity JSON API. */
export const ASPECT_API: ReadonlyArray<Route<RouteContext>> = [
  actionRoute('aspects', 'Writes aspects, and reads time series'),
  {
    method: 'get',
    path: '/aspects/{urn}',
    name: 'getAspect',
    summary: () => 'Reads one version of a versioned aspect',
    surface: 'aspect-api',
    more: (context) => [
      urnPath(context),
      query(
        'aspect',
        'Name of the aspect.',
        { type: 'string', enum: context.schemas.aspectNames() },
        { required: true, example: 'status' },
      ),
      query('version', '0 is the latest.', {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
      }),
    ],
    answers: () => ({
      200: {
        description: 'The version, and the aspect under the name of its record.',
        schema: {
          type: 'object',
          required: ['version', 'aspect'],
          properties: { version: { type: 'integer' }, aspect: object },
        },
      },
    }),
    errors: [400, 404],
  },
  actionRoute('entities', 'Searches, browses, counts and deletes entities'),
  {
    method: 'get',
    path: '/entitiesV2/{urn}',
    name: 'getEntityV2',
    summary: () => 'Reads an entity with its aspects by name',
    surface: 'aspect-api',
    more: (context) => [
      urnPath(context),
      VERSION,
      listQuery('aspects', 'Only these aspects: `List(<aspect>,…)`.'),
    ],
    answers: () => ({
      200: {
        description: 'The entity.',
        schema: {
          type: 'object',
          required: ['urn', 'entityName', 'aspects'],
          properties: { urn: { type: 'string' }, entityName: { type: 'string' }, aspects: object },
        },
      },
    }),
    errors: [400, 404],
  },
  {
    method: 'get',
    path: '/entitiesV2',
    name: 'getEntitiesV2',
    summary: () => 'Reads several entities with their aspects by name',
    surface: 'aspect-api',
    more: () => [
      {
        ...listQuery('ids', 'The URNs: `List(<urn>,…)`.'),
        required: true,
        example: `List(${encodeURIComponent(DATASET)})`,
      },
      VERSION,
      listQuery('aspects', 'Only these aspects: `List(<aspect>,…)`.'),
    ],
    answers: () => ({ 200: plain('The entities by URN, below `results`.') }),
    errors: [400, 413],
  },
  {
    method: 'get',
    path: '/entities',
    name: 'getSnapshots',
    summary: () => 'Reads the snapshots of several entities',
    deprecated: true,
    surface: 'aspect-api',
    more: () => [{ ...listQuery('ids', 'The URNs: `List(<urn>,…)`.'), required: true }],
    answers: () => ({ 200: plain('The snapshots by URN, below `results`.') }),
    errors: [400, 413],
  },
  {
    method: 'get',
    path: '/entities/{urn}',
    name: 'getSnapshot',
    summary: () => 'Reads the snapshot of an entity',
    deprecated: true,
    surface: 'aspect-api',
    more: (context) => [urnPath(context), listQuery('aspects', 'Only these aspects: `List(<aspect>,…)`.')],
    answers: () => ({ 200: value('The snapshot, under the name of its record.') }),
    errors: [400, 404],
  },
  {
    method: 'get',
    path: '/relationships',
    name: 'getRelationships',
    summary: () => 'Lists the neighbours of an entity',
    surface: 'aspect-api',
    more: (context) => [
      query('urn', 'The entity.', context.schemas.anyUrn(), {
        required: true,
        example: 'urn:li:corpuser:ann',
      }),
      query(
        'direction',
        'To it, or from it.',
        { type: 'string', enum: ['INCOMING', 'OUTGOING'] },
        { required: true, example: 'INCOMING' },
      ),
      query(
        'types',
        'Only these relationships: a name, or `List(<name>,…)`.',
        { type: 'string', minLength: 1 },
        { example: 'OwnedBy' },
      ),
      query('start', 'How many to leave out.', { type: 'integer', minimum: 0, default: 0 }),
      query('count', 'The most entries.', { type: 'integer', minimum: 0, default: 100 }),
    ],
    answers: () => ({
      200: {
        description: 'The neighbours.',
        schema: {
          type: 'object',
          required: ['start', 'count', 'total', 'entities', 'relationships'],
          properties: {
            start: { type: 'integer' },
            count: { type: 'integer' },
            total: { type: 'integer' },
            entities: { type: 'array', items: { type: 'string' } },
            relationships: { type: 'array', items: object },
          },
        },
      },
    }),
    errors: [400],
  },
];

/** What whoever runs the service needs of the aspect API. */
export const OPERATIONS: ReadonlyArray<Route<RouteContext>> = [
  actionRoute('runs', 'Lists, describes and rolls back runs'),
  actionRoute('operations', 'Looks after the search index; for administrators'),
  {
    method: 'get',
    path: '/openapi/v1/entities/counts',
    name: 'countEntities',
    summary: () => 'Counts the entities of several types',
    more: ({ schemas }) => [
      query('types', 'Only these types; may be repeated.', {
        type: 'array',
        items: { type: 'string', enum: schemas.entityNames() },
      }),
      query('includeTotal', 'Whether to add sums.', { type: 'boolean', default: false }),
    ],
    answers: () => ({
      200: {
        description: 'The counts.',
        schema: {
          type: 'object',
          required: ['counts'],
          properties: { counts: { type: 'array', items: object } },
        },
      },
    }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/entities/{entityType}/count',
    name: 'countEntitiesOfType',
    summary: () => 'Counts the entities of one type',
    more: ({ schemas }) => [
      {
        name: 'entityType',
        in: 'path',
        required: true,
        description: 'The type.',
        schema: { type: 'string', enum: schemas.entityNames() },
        example: 'dataset',
      },
      query('includeTotal', 'Whether to add the sum.', { type: 'boolean', default: false }),
    ],
    answers: () => ({ 200: plain('The counts.') }),
    errors: [400],
  },
];

const status: Schema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

/** Open to everybody. */
export const HEALTH: ReadonlyArray<Route<RouteContext>> = [
  ...(['/health', '/health/live', '/health/ready'] as const).map((path): Route<RouteContext> => ({
    method: 'get',
    path,
    name: path.slice(1).replace('/', '_'),
    summary: () =>
      path === '/health/live'
        ? 'Whether the process runs'
        : path === '/health/ready'
          ? 'Whether requests can be served'
          : 'How the service and its parts are',
    open: true,
    answers: () => ({
      200: { description: 'Well.', schema: status },
      ...(path !== '/health/live' && { 503: { description: 'Not ready.', schema: status } }),
    }),
    errors: [],
  })),
  {
    method: 'get',
    path: '/config',
    name: 'getConfig',
    summary: () => 'What clients need to know of the service',
    open: true,
    answers: () => ({ 200: plain('The configuration.') }),
    errors: [],
  },
];
