import type { ActionRoute, Resource } from '../../../catalog/route/index.js';
import { callSchema } from './action-schemas.js';
import { capital } from './model-schemas.js';
import type { MediaType, Parameter, Schema } from './openapi-types.js';
import { DATASET, listOf, query, urn } from './route-words.js';
import type { Answer, Route, RouteContext } from './routes.js';

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

const urnPath = (context: RouteContext): Parameter => ({
  name: 'urn',
  in: 'path',
  required: true,
  description: 'The URN, percent-encoded.',
  schema: urn(context),
  example: DATASET,
});

const listQuery = (name: string, description: string): Parameter =>
  query(name, description, { type: 'string', pattern: '^List\\(.*\\)$' });

/** One of the names, or several of them as a Rest.li list. */
function nameOrList(names: string[]): Schema {
  const name = `(?:${names.join('|')})`;
  return { type: 'string', pattern: `^(?:${name}|List\\(${name}(?:,${name})*\\))$` };
}

/** The route of the actions on a resource, which are told apart by `action`. */
function actionRoute(
  declared: readonly ActionRoute[],
  resource: Resource,
  summary: string,
  headers: readonly Parameter[] = [],
): Route<RouteContext> {
  const actions = declared.filter((route) => route.resource === resource);
  const examples: NonNullable<MediaType['examples']> = Object.fromEntries(
    actions.map(({ action, summary: text, example }) => [action, { summary: text, value: example }]),
  );
  return {
    method: 'post',
    path: `/${resource}`,
    name: `call${capital(resource)}`,
    summary: () => summary,
    description: actions.map(described).join('\n'),
    surface: 'aspect-api',
    more: () => [
      query(
        'action',
        'What to do.',
        { type: 'string', enum: actions.map(({ action }) => action) },
        { required: true, example: actions[0]!.action },
      ),
      ...headers,
    ],
    // Which body goes with which action is said by its name: OpenAPI has no words for it.
    body: ({ schemas }) => ({
      media: { schema: { anyOf: actions.map((action) => callSchema(action, schemas)) }, examples },
    }),
    answers: () => ({ 200: plain('The result, mostly below `value`.') }),
    errors: [400, 404, 409, 412, 413, 422],
  };
}

const described = ({ action, summary, deprecated }: ActionRoute): string =>
  `- \`${action}\`: ${summary}${deprecated === true ? ' (deprecated)' : ''}`;

/** The aspect and entity JSON API. */
export const aspectApi = (actions: readonly ActionRoute[]): ReadonlyArray<Route<RouteContext>> => [
  actionRoute(actions, 'aspects', 'Writes aspects, and reads time series', [
    {
      name: VERSION.name,
      in: 'header',
      description: '`2.0.0`. ingestProposal and ingestProposalBatch need it.',
      schema: { type: 'string' },
      example: '2.0.0',
    },
  ]),
  {
    method: 'get',
    path: '/aspects/{urn}',
    name: 'getAspect',
    summary: () => 'Reads one version of a versioned aspect',
    description: 'Answers one version of the aspect; use `getTimeseriesAspectValues` for time series.',
    surface: 'aspect-api',
    more: (context) => [
      urnPath(context),
      query('aspect', 'Name of the aspect.', context.schemas.aspectName('versioned'), {
        required: true,
        example: 'status',
      }),
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
  actionRoute(actions, 'entities', 'Searches, browses, counts and deletes entities'),
  {
    method: 'get',
    path: '/entitiesV2/{urn}',
    name: 'getEntityV2',
    summary: () => 'Reads an entity with its aspects by name',
    description: 'Answers each aspect with its value, version and audit stamp.',
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
    description: 'Answers up to the limit of a batch, each as `/entitiesV2/{urn}` would.',
    surface: 'aspect-api',
    more: () => [
      {
        ...listQuery('ids', 'The URNs: `List(<urn>,…)`.'),
        required: true,
        example: `List(${DATASET})`,
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
    description: 'Use `/entitiesV2` instead.',
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
    description: 'Use `/entitiesV2/{urn}` instead.',
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
    description: 'Answers the entities at the other end of the edges of an entity.',
    surface: 'aspect-api',
    more: (context) => [
      query('urn', 'The entity.', urn(context), {
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
        nameOrList(context.schemas.relationshipNames()),
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
export const operations = (actions: readonly ActionRoute[]): ReadonlyArray<Route<RouteContext>> => [
  actionRoute(actions, 'runs', 'Lists, describes and rolls back runs'),
  actionRoute(actions, 'operations', 'Looks after the search index; for administrators'),
  {
    method: 'get',
    path: '/openapi/v1/entities/counts',
    name: 'countEntities',
    summary: () => 'Counts the entities of several types',
    description: 'Counts the entities of each type that are not soft-deleted.',
    more: ({ schemas }) => [
      query('types', 'Only these types; may be repeated.', listOf(schemas.entityName())),
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
    description: 'Counts the entities of the type that are not soft-deleted.',
    more: ({ schemas }) => [
      {
        name: 'entityType',
        in: 'path',
        required: true,
        description: 'The type.',
        schema: schemas.entityName(),
        example: 'dataset',
      },
      query('includeTotal', 'Whether to add the sum.', { type: 'boolean', default: false }),
    ],
    answers: () => ({ 200: plain('The counts.') }),
    errors: [400],
  },
];

const status = ({ schemas }: RouteContext): Schema =>
  schemas.component('HealthStatus', () => ({
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  }));

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
    description:
      path === '/health/live'
        ? 'Looks at nothing but the process itself.'
        : 'Names each part that the service needs, and its state.',
    open: true,
    answers: (context) => ({
      200: { description: 'Well.', schema: status(context) },
      ...(path !== '/health/live' && { 503: { description: 'Not ready.', schema: status(context) } }),
    }),
    errors: [],
  })),
  {
    method: 'get',
    path: '/config',
    name: 'getConfig',
    summary: () => 'What clients need to know of the service',
    description: 'Answers the version and the capabilities of the service, which clients look at first.',
    open: true,
    answers: () => ({ 200: plain('The configuration.') }),
    errors: [],
  },
];
