import type { Parameter } from './openapi-types.js';
import type { Answer, Route, RouteContext } from './routes.js';
import { closed, listOf, PAGE, path, query, scrollId, urn, whole } from './route-words.js';

/** Events of time-series aspects. */
export const EVENTS: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v2/timeseries/{entity}/{aspect}',
    name: 'listEvents',
    summary: () => 'Lists the events of a time-series aspect of all entities of a kind, newest first',
    description: 'Events of all entities of the kind within the bounds, newest first, page by page.',
    parameters: [...PAGE, 'systemMetadata'],
    more: ({ schemas }) => [
      path('entity', 'The kind of the entities.', schemas.entityName(), 'dataset'),
      path('aspect', 'A time-series aspect of it.', schemas.aspectName('timeseries'), 'datasetProfile'),
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
  path('entity', 'The kind.', schemas.entityName(), 'dataset');
const aspectPath = ({ schemas }: RouteContext): Parameter =>
  path('aspect', 'The aspect.', schemas.aspectName(), 'ownership');

/** What the service knows about its own model. */
export const REGISTRY: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications',
    name: 'listEntitySpecifications',
    summary: () => 'Lists the kinds of entities',
    description:
      'Answers the kinds of entities of the model with their key aspect and aspects, in the order of their names.',
    more: () => RANGE,
    answers: () => ({ 200: registryPage('One page of kinds.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications/{entity}',
    name: 'getEntitySpecification',
    summary: () => 'Describes one kind of entities',
    description: 'Answers the key aspect and the other aspects of the kind.',
    more: (context) => [entityPath(context)],
    answers: () => ({ 200: { description: 'The kind, with its aspects.', schema: { type: 'object' } } }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/entity/specifications/{entity}/aspects',
    name: 'listAspectSpecificationsOfEntity',
    summary: () => 'Lists the aspects of one kind of entities',
    description: 'Answers the aspects that entities of the kind can have.',
    more: (context) => [entityPath(context), ...RANGE],
    answers: () => ({ 200: registryPage('One page of aspects.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/aspect/specifications',
    name: 'listAspectSpecifications',
    summary: () => 'Lists the aspects',
    description: 'Answers all aspects of the model, in the order of their names.',
    more: () => RANGE,
    answers: () => ({ 200: registryPage('One page of aspects.') }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v1/registry/models/aspect/specifications/{aspect}',
    name: 'getAspectSpecification',
    summary: () => 'Describes one aspect, with its JSON Schema',
    description: 'Answers the JSON Schema of the aspect, and which of its fields are searched and related.',
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

/** What became of writes that were carried out later, and what follows from others. */
export const TRACING: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v1/trace/references/{traceId}',
    name: 'getReferenceCleanup',
    summary: () => 'Tells how far deleted entities are taken off what refers to them',
    description:
      'References to deleted entities are removed in the background; this reports the progress for the request that deleted them.',
    more: () => [TRACE_ID],
    answers: () => ({
      200: {
        description:
          'Each entity that the request deleted; DONE once nothing refers to it, or to say why it does; FAILED with its reason when it was put aside.',
        schema: {
          type: 'object',
          required: ['traceId', 'state', 'entities'],
          properties: {
            traceId: { type: 'string' },
            state: { type: 'string', enum: ['PENDING', 'FAILED', 'DONE'] },
            entities: listOf({ type: 'object' }),
          },
        },
      },
    }),
    errors: [404],
  },
  {
    method: 'get',
    path: '/openapi/v1/trace/write/{traceId}',
    name: 'getReceipt',
    summary: () => 'Tells what became of an accepted write',
    description:
      'An asynchronous write is answered with 202 and a trace id; its receipt says whether it was committed or rejected, and whether searches find it.',
    more: () => [TRACE_ID],
    answers: () => ({
      200: {
        description: 'The receipt.',
        schema: {
          type: 'object',
          required: ['traceId', 'state', 'searchable', 'submittedAtMillis', 'items'],
          properties: {
            traceId: { type: 'string' },
            state: { type: 'string', enum: ['PENDING', 'COMMITTED', 'REJECTED', 'FAILED'] },
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
    description: 'Reports for each aspect in the body whether it is stored and whether it is indexed.',
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
