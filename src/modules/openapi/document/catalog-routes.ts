import type { Parameter, Schema } from './openapi-types.js';
import { LIST_PARAMETERS, type ParameterName } from './parameters.js';
import type { Answer, Route, RouteContext } from './routes.js';

const closed = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  additionalProperties: false,
  properties,
});
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const text = (description: string): Schema => ({ type: 'string', description });
const whole = (more: Schema = {}): Schema => ({ type: 'integer', minimum: 0, ...more });
const scrollId: Schema = { type: ['string', 'null'], description: 'Where to go on; null on the last page.' };

const PAGE = [
  'count1',
  'scrollId',
  'includeSoftDelete',
  'sliceId',
  'sliceMax',
  'pitKeepAlive',
] as const satisfies readonly ParameterName[];

const urn = ({ schemas }: RouteContext): Schema => schemas.anyUrn();

function path(name: string, description: string, schema: Schema, example?: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, ...(example !== undefined && { example }) };
}

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

const relationshipTypes = (name: string): Parameter =>
  query(name, 'Only these types; may be repeated.', listOf({ type: 'string', minLength: 1 }));

/** An entity of any kind. */
const anyEntity = (context: RouteContext): Schema =>
  context.schemas.component('AnyEntity', () => ({
    type: 'object',
    description: 'An entity of any kind: its URN, and aspects by name.',
    required: ['urn'],
    properties: { urn: urn(context) },
    additionalProperties: context.schemas.component('AnyAspect', () => ({
      type: 'object',
      required: ['value'],
      properties: {
        value: { type: 'object' },
        systemMetadata: context.schemas.common('SystemMetadata'),
        auditStamp: context.schemas.common('AuditStampOfWrite'),
      },
    })),
  }));

const byEntity = (schema: Schema, context: RouteContext): Schema => ({
  type: 'object',
  description: 'Lists of items, by the names of the kinds of entities.',
  propertyNames: { enum: context.schemas.entityNames() },
  additionalProperties: listOf(schema),
});

const entitiesByKind =
  (description: string) =>
  (context: RouteContext): Answer => ({
    description,
    schema: { type: 'object', additionalProperties: listOf(anyEntity(context)) },
  });

const edges = (context: RouteContext): Record<number, Answer> => ({
  200: {
    description: 'One page of relationships.',
    schema: closed(
      {
        scrollId,
        results: listOf(
          closed(
            {
              relationshipType: text('The type of the relationship.'),
              source: end(context),
              destination: end(context),
            },
            ['relationshipType', 'source', 'destination'],
          ),
        ),
      },
      ['scrollId', 'results'],
    ),
  },
});

const end = (context: RouteContext): Schema =>
  closed({ entityType: text('The kind of the entity.'), urn: urn(context) }, ['entityType', 'urn']);

const TAG_ITEM = {
  urn: 'urn:li:tag:pii',
  tagProperties: { value: { name: 'pii', description: 'Tells about a person.' } },
};

/** Routes over entities of several kinds. */
export const ACROSS_ENTITIES: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'post',
    path: '/openapi/v3/entity/scroll',
    name: 'scrollEntities',
    summary: () => 'Lists entities of several kinds by a filter, page by page',
    parameters: [...LIST_PARAMETERS, 'skipAggregation'],
    body: ({ schemas }) => ({
      optional: true,
      media: {
        schema: closed({
          entities: {
            ...listOf({ type: 'string', enum: schemas.entityNames() }),
            description: 'All common ones when left out.',
          },
          aspects: {
            ...listOf({ type: 'string', enum: schemas.aspectNames() }),
            description: 'Left out: only URNs. Empty: all aspects.',
          },
          filter: schemas.common('Filter'),
          sortCriteria: listOf(
            closed(
              {
                field: { type: 'string', minLength: 1 },
                order: { type: 'string', enum: ['ASCENDING', 'DESCENDING'] },
              },
              ['field'],
            ),
          ),
        }),
        example: {
          entities: ['dataset'],
          aspects: ['datasetProperties'],
          filter: {
            and: [{ criteria: [{ field: 'tags', condition: 'EQUAL', values: ['urn:li:tag:pii'] }] }],
          },
          sortCriteria: [{ field: 'urn', order: 'ASCENDING' }],
        },
      },
    }),
    answers: (context) => ({
      200: {
        description: 'One page.',
        schema: closed(
          {
            scrollId,
            entities: listOf(anyEntity(context)),
            facets: context.schemas.common('Facets'),
            totalCount: whole(),
          },
          ['scrollId', 'entities', 'facets', 'totalCount'],
        ),
      },
    }),
    errors: [400, 413],
  },
  {
    method: 'post',
    path: '/openapi/v3/entity/generic',
    name: 'writeGeneric',
    summary: () => 'Writes aspects of entities of several kinds: all or none',
    parameters: [
      'asyncBatch',
      'systemMetadata',
      'createIfNotExists',
      'createIfEntityNotExists',
      'idempotencyKey',
    ],
    body: (context) => ({
      media: { schema: byEntity({ type: 'object' }, context), example: { tag: [TAG_ITEM] } },
    }),
    answers: (context) => ({
      200: entitiesByKind('What was written, as it stands now.')(context),
      202: { description: 'Queued.', schema: { type: 'object' } },
    }),
    errors: [400, 404, 409, 412, 413, 422],
  },
  {
    method: 'patch',
    path: '/openapi/v3/entity/generic',
    name: 'patchGeneric',
    summary: () => 'Patches aspects of entities of several kinds: all or none',
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    body: (context) => ({
      types: ['application/json-patch+json', 'application/json'],
      media: {
        schema: byEntity({ type: 'object' }, context),
        example: {
          tag: [
            {
              urn: 'urn:li:tag:pii',
              tagProperties: {
                value: { patch: [{ op: 'add', path: '/description', value: 'Tells about a person.' }] },
              },
            },
          ],
        },
      },
    }),
    answers: (context) => ({
      200: entitiesByKind('What was written, as it stands now.')(context),
      202: { description: 'Queued.', schema: { type: 'object' } },
    }),
    errors: [400, 404, 409, 412, 413, 422],
  },
  {
    method: 'post',
    path: '/openapi/v3/entity/generic/batchGet',
    name: 'batchGetGeneric',
    summary: () => 'Reads entities of several kinds',
    parameters: ['systemMetadata'],
    body: (context) => ({
      media: {
        schema: byEntity({ type: 'object' }, context),
        example: { tag: [{ urn: 'urn:li:tag:pii', tagProperties: {} }] },
      },
    }),
    answers: (context) => ({ 200: entitiesByKind('The entities that exist.')(context) }),
    errors: [400, 413],
  },
];

/** Walks over relationships and lineage. */
const WALKS: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v3/relationship/{relationshipType}',
    name: 'listRelationships',
    summary: () => 'Lists all relationships of one type',
    parameters: PAGE,
    more: () => [
      path('relationshipType', 'The type, `*` for all.', { type: 'string', minLength: 1 }, 'OwnedBy'),
    ],
    answers: edges,
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v3/relationship/{entity}/{urn}',
    name: 'relationshipsOfEntity',
    summary: () => 'Lists the relationships of one entity',
    parameters: PAGE,
    more: (context) => [
      path(
        'entity',
        'The kind of the entity.',
        { type: 'string', enum: context.schemas.entityNames() },
        'dataset',
      ),
      path(
        'urn',
        'Its URN, percent-encoded.',
        urn(context),
        'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)',
      ),
      query('direction', 'From the entity, or to it.', {
        type: 'string',
        enum: ['OUTGOING', 'INCOMING'],
        default: 'OUTGOING',
      }),
      relationshipTypes('relationshipType'),
    ],
    answers: edges,
    errors: [400],
  },
  {
    method: 'post',
    path: '/openapi/v3/relationship/scroll',
    name: 'scrollRelationships',
    summary: () => 'Lists relationships by their types and ends',
    parameters: PAGE,
    more: (context) => [
      relationshipTypes('relationshipTypes'),
      ...['sourceTypes', 'destinationTypes'].map((name) =>
        query(
          name,
          'Only ends of these kinds.',
          listOf({ type: 'string', enum: context.schemas.entityNames() }),
        ),
      ),
    ],
    body: () => ({
      optional: true,
      media: {
        schema: closed({
          sourceFilter: edgeFilter(['urn', 'entityType']),
          destinationFilter: edgeFilter(['urn', 'entityType']),
          edgeFilter: edgeFilter(['relationshipType']),
        }),
        example: { sourceFilter: { and: [{ criteria: [{ field: 'entityType', values: ['dataset'] }] }] } },
      },
    }),
    answers: edges,
    errors: [400, 413],
  },
  {
    method: 'post',
    path: '/openapi/v3/lineage/scroll',
    name: 'scrollLineage',
    summary: () => 'Lists lineage upstream or downstream of some entities',
    parameters: PAGE,
    more: () => [
      query('direction', 'Which way.', {
        type: 'string',
        enum: ['UPSTREAM', 'DOWNSTREAM'],
        default: 'UPSTREAM',
      }),
      relationshipTypes('relationshipTypes'),
    ],
    body: (context) => ({
      optional: true,
      media: {
        schema: closed({ urns: { ...listOf(urn(context)), description: 'Of all entities when left out.' } }),
        example: { urns: ['urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)'] },
      },
    }),
    answers: (context) => ({
      200: {
        description: 'One page of lineage.',
        schema: closed(
          {
            scrollId,
            results: listOf(
              closed(
                { upstream: end(context), downstream: end(context), relationshipType: text('Its type.') },
                ['upstream', 'downstream', 'relationshipType'],
              ),
            ),
          },
          ['scrollId', 'results'],
        ),
      },
    }),
    errors: [400, 413],
  },
];

/** Walks over relationships have an older address too. */
export const RELATIONSHIPS: ReadonlyArray<Route<RouteContext>> = [
  ...WALKS,
  ...WALKS.filter(({ path: at }) => at.startsWith('/openapi/v3/relationship/')).map(
    (route): Route<RouteContext> => ({
      ...route,
      path: route.path.replace('/v3/', '/v2/'),
      name: `${route.name}V2`,
    }),
  ),
  {
    method: 'get',
    path: '/openapi/relationships/v1',
    name: 'listNeighboursV1',
    summary: () => 'Lists the neighbours of an entity, each with its relationship',
    deprecated: true,
    more: (context) => [
      { ...query('urn', 'The entity.', urn(context)), required: true },
      query('direction', 'To it, or from it.', { type: 'string', enum: ['INCOMING', 'OUTGOING'] }),
      relationshipTypes('relationshipTypes'),
      query('start', 'How many to leave out.', whole({ default: 0 })),
      query('count', 'The most entries.', whole({ default: 200 })),
    ],
    answers: () => ({ 200: { description: 'The neighbours.', schema: { type: 'object' } } }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v2/timeline/v1/{urn}',
    name: 'getTimeline',
    summary: () => 'Tells what happened to an entity, in the order of time',
    more: (context) => [
      path('urn', 'The URN, percent-encoded.', urn(context)),
      {
        ...query('categories', 'Which changes: one or several, separated by commas.', { type: 'string' }),
        required: true,
        example: 'TAG,OWNERSHIP',
      },
    ],
    answers: () => ({
      200: { description: 'The changes.', schema: { type: 'array', items: { type: 'object' } } },
    }),
    errors: [400, 404],
  },
];

function edgeFilter(fields: string[]): Schema {
  const criterion = closed(
    {
      field: { type: 'string', enum: fields },
      condition: { type: 'string', enum: ['EQUAL'] },
      values: { ...listOf({ type: 'string' }), minItems: 1 },
    },
    ['field', 'values'],
  );
  return closed({ and: listOf(closed({ criteria: listOf(criterion) }, ['criteria'])) }, ['and']);
}

/** Events of time-series aspects. */
export const EVENTS: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v2/timeseries/{entity}/{aspect}',
    name: 'listEvents',
    summary: () => 'Lists the events of a time-series aspect of all entities of a kind, newest first',
    parameters: [...PAGE, 'systemMetadata'],
    more: ({ schemas }) => [
      path('entity', 'The kind of the entities.', { type: 'string', enum: schemas.entityNames() }, 'dataset'),
      path(
        'aspect',
        'A time-series aspect of it.',
        { type: 'string', enum: schemas.aspectNames('timeseries') },
        'datasetProfile',
      ),
      ...['startTimeMillis', 'endTimeMillis'].map((name) =>
        query(name, 'A bound of the times of the events, included.', {
          type: 'integer',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
    ],
    answers: (context) => ({
      200: {
        description: 'One page of events.',
        schema: closed(
          {
            scrollId,
            results: listOf(
              closed(
                {
                  timestampMillis: { type: 'integer' },
                  urn: urn(context),
                  event: { type: 'object' },
                  messageId: { type: 'string' },
                  systemMetadata: context.schemas.common('SystemMetadata'),
                },
                ['timestampMillis', 'urn', 'event'],
              ),
            ),
          },
          ['scrollId', 'results'],
        ),
      },
    }),
    errors: [400],
  },
];

const registryPage = (description: string): Answer => ({
  description,
  schema: closed({ start: whole(), count: whole(), total: whole(), elements: listOf({ type: 'object' }) }, [
    'start',
    'count',
    'total',
    'elements',
  ]),
});

const RANGE = [
  query(
    'start',
    'How many to leave out at the beginning.',
    whole({ default: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  query('count', 'The most entries.', whole({ maximum: 1000, default: 20 })),
];

const entityPath = ({ schemas }: RouteContext): Parameter =>
  path('entity', 'The kind.', { type: 'string', enum: schemas.entityNames() }, 'dataset');
const aspectPath = ({ schemas }: RouteContext): Parameter =>
  path('aspect', 'The aspect.', { type: 'string', enum: schemas.aspectNames() }, 'ownership');

/** What the service knows about its own model. */
export const REGISTRY: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications',
    name: 'listEntitySpecifications',
    summary: () => 'Lists the kinds of entities',
    more: () => RANGE,
    answers: () => ({ 200: registryPage('One page of kinds.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications/{entity}',
    name: 'getEntitySpecification',
    summary: () => 'Describes one kind of entities',
    more: (context) => [entityPath(context)],
    answers: () => ({ 200: { description: 'The kind, with its aspects.', schema: { type: 'object' } } }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications/{entity}/aspects',
    name: 'listAspectSpecificationsOfEntity',
    summary: () => 'Lists the aspects of one kind of entities',
    more: (context) => [entityPath(context), ...RANGE],
    answers: () => ({ 200: registryPage('One page of aspects.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/aspect/specifications',
    name: 'listAspectSpecifications',
    summary: () => 'Lists the aspects',
    more: () => RANGE,
    answers: () => ({ 200: registryPage('One page of aspects.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/aspect/specifications/{aspect}',
    name: 'getAspectSpecification',
    summary: () => 'Describes one aspect, with its JSON Schema',
    more: (context) => [aspectPath(context)],
    answers: () => ({ 200: { description: 'The aspect.', schema: { type: 'object' } } }),
    errors: [400],
  },
];

const TRACE_ID = path(
  'traceId',
  'The id from the `traceparent` of the answer.',
  { type: 'string', pattern: '^[0-9a-f]{32}$' },
  '0'.repeat(32),
);

/** What became of writes that were carried out later. */
export const TRACING: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v1/trace/write/{traceId}',
    name: 'getReceipt',
    summary: () => 'Tells what became of an accepted write',
    more: () => [TRACE_ID],
    answers: () => ({
      200: {
        description: 'The receipt.',
        schema: {
          type: 'object',
          required: ['traceId', 'state', 'searchable', 'submittedAtMillis', 'items'],
          properties: {
            traceId: { type: 'string' },
            state: { type: 'string', enum: ['PENDING', 'COMMITTED', 'REJECTED'] },
            searchable: { type: 'boolean' },
            submittedAtMillis: { type: 'integer' },
            settledAtMillis: { type: 'integer' },
            items: listOf({ type: 'object' }),
            error: { type: 'object' },
          },
        },
      },
    }),
    errors: [400, 404],
  },
  {
    method: 'post',
    path: '/openapi/v1/trace/write/{traceId}',
    name: 'traceWrite',
    summary: () => 'Tells what became of some aspects of an accepted write',
    more: () => [
      TRACE_ID,
      query('onlyIncludeErrors', 'Only what went wrong.', { type: 'boolean', default: false }),
      query('detailed', 'Taken for older clients.', { type: 'boolean', default: false }),
      query('skipCache', 'Taken for older clients.', { type: 'boolean', default: false }),
    ],
    body: () => ({
      media: {
        schema: {
          type: 'object',
          description: 'Names of aspects, by URN.',
          additionalProperties: listOf({ type: 'string' }),
        },
        example: { 'urn:li:tag:pii': ['tagProperties'] },
      },
    }),
    answers: () => ({
      200: {
        description: 'By URN and aspect, how far the write is.',
        schema: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['success', 'primaryStorage', 'searchStorage'],
              properties: {
                success: { type: 'boolean' },
                primaryStorage: { type: 'object', required: ['writeStatus'] },
                searchStorage: { type: 'object', required: ['writeStatus'] },
              },
            },
          },
        },
      },
    }),
    errors: [400, 404, 413],
  },
];

const urnsQuery = (context: RouteContext): Parameter => ({
  ...query('urns', 'URNs; may be repeated.', { ...listOf(urn(context)), minItems: 1 }),
  required: true,
});

/** The oldest version of the surface. */
const OLDEST: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/entities/v1/latest',
    name: 'getEntitiesV1',
    summary: () => 'Reads entities of one kind with their aspects',
    deprecated: true,
    more: (context) => [
      urnsQuery(context),
      query(
        'aspectNames',
        'Only these aspects.',
        listOf({ type: 'string', enum: context.schemas.aspectNames() }),
      ),
    ],
    answers: () => ({
      200: {
        description: 'The entities that exist, by URN.',
        schema: closed({ responses: { type: 'object', additionalProperties: { type: 'object' } } }, [
          'responses',
        ]),
      },
    }),
    errors: [400, 413],
  },
  {
    method: 'post',
    path: '/openapi/entities/v1',
    name: 'writeEntitiesV1',
    summary: () => 'Writes aspects that name their record in `__type`',
    deprecated: true,
    parameters: ['asyncWrite', 'createIfNotExists', 'createIfEntityNotExists', 'idempotencyKey'],
    body: () => ({
      media: {
        schema: listOf({ type: 'object' }),
        example: [
          {
            entityType: 'tag',
            entityUrn: 'urn:li:tag:pii',
            aspect: { __type: 'TagProperties', name: 'pii', description: 'Tells about a person.' },
          },
        ],
      },
    }),
    answers: () => ({
      200: { description: 'Everything stood there already.', schema: listOf({ type: 'string' }) },
      201: { description: 'The URNs written.', schema: listOf({ type: 'string' }) },
      202: { description: 'Queued.', schema: listOf({ type: 'string' }) },
    }),
    errors: [400, 404, 409, 412, 413, 422],
  },
  {
    method: 'delete',
    path: '/openapi/entities/v1',
    name: 'deleteEntitiesV1',
    summary: () => 'Deletes entities, softly unless asked otherwise',
    deprecated: true,
    parameters: ['idempotencyKey'],
    more: (context) => [
      urnsQuery(context),
      query('soft', 'false: for good.', { type: 'boolean', default: true }),
    ],
    answers: () => ({
      200: { description: 'What was deleted.', schema: listOf({ type: 'object' }) },
    }),
    errors: [400, 404, 409, 413, 422],
  },
  {
    method: 'post',
    path: '/openapi/v2/platform/entities/v1',
    name: 'propose',
    summary: () => 'Carries out change proposals as the aspect API takes them: all or none',
    parameters: ['asyncWrite', 'idempotencyKey'],
    body: () => ({
      media: {
        schema: listOf({ type: 'object' }),
        example: [
          {
            entityType: 'tag',
            entityUrn: 'urn:li:tag:pii',
            changeType: 'UPSERT',
            aspectName: 'tagProperties',
            aspect: { contentType: 'application/json', value: '{"name":"pii"}' },
          },
        ],
      },
    }),
    answers: () => ({
      200: { description: 'The URNs.', schema: listOf({ type: 'string' }) },
      202: { description: 'Queued.', schema: listOf({ type: 'string' }) },
    }),
    errors: [400, 404, 409, 412, 413, 422],
  },
];

export const VERSION_1: ReadonlyArray<Route<RouteContext>> = [
  ...OLDEST,
  ...OLDEST.filter(({ name }) => name === 'propose').map((route): Route<RouteContext> => ({
    ...route,
    path: '/openapi/platform/entities/v1',
    name: 'proposeV1',
  })),
];
