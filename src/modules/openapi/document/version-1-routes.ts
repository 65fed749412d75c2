import { proposalSchema } from '../../ingest/index.js';
import type { Parameter } from './openapi-types.js';
import type { Route, RouteContext } from './routes.js';
import { closed, entityName, listOf, query, urn } from './route-words.js';

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
    description: 'Use the reads of version 3 instead.',
    deprecated: true,
    more: (context) => [
      urnsQuery(context),
      query('aspectNames', 'Only these aspects.', listOf(context.schemas.aspectName())),
    ],
    answers: () => ({
      200: {
        description: 'The entities that exist, by URN.',
        schema: closed({ responses: { type: 'object', additionalProperties: { type: 'object' } } }, [
          'responses',
        ]),
      },
    }),
    errors: [400, 413, 431],
  },
  {
    method: 'post',
    path: '/openapi/entities/v1',
    name: 'writeEntitiesV1',
    summary: () => 'Writes aspects that name their record in `__type`',
    description: 'Use the writes of version 3 instead.',
    deprecated: true,
    parameters: ['asyncWrite', 'createIfNotExists', 'createIfEntityNotExists', 'idempotencyKey'],
    body: (context) => ({
      media: {
        schema: listOf(
          context.schemas.component('EntityWriteV1', () => ({
            ...closed(
              {
                entityType: entityName(context),
                entityUrn: { ...urn(context), description: 'Or `entityKeyAspect`.' },
                entityKeyAspect: {
                  type: 'object',
                  description: 'The key of the entity, which its URN is made of: `{"value": "<JSON text>"}`.',
                },
                aspect: {
                  type: 'object',
                  required: ['__type'],
                  additionalProperties: true,
                  description: 'The aspect, beside the name of its record.',
                  properties: { __type: { type: 'string', enum: context.schemas.recordNames() } },
                },
              },
              ['entityType', 'aspect'],
            ),
            description: 'One aspect of the entity that `entityUrn` or `entityKeyAspect` names.',
          })),
        ),
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
    description: 'Use the deletions of version 3 instead.',
    deprecated: true,
    parameters: ['idempotencyKey'],
    more: (context) => [
      urnsQuery(context),
      query('soft', 'false: for good.', { type: 'boolean', default: true }),
    ],
    answers: () => ({
      200: { description: 'What was deleted.', schema: listOf({ type: 'object' }) },
    }),
    errors: [400, 404, 409, 413, 422, 431],
  },
  {
    method: 'post',
    path: '/openapi/v2/platform/entities/v1',
    name: 'propose',
    summary: () => 'Carries out change proposals as the aspect API takes them: all or none',
    description:
      'Each proposal names an entity, an aspect and a change type. All are written in one transaction: if one is refused, none is.',
    parameters: ['asyncWrite', 'idempotencyKey'],
    body: (context) => ({
      media: {
        schema: listOf(proposalSchema(context.schemas)),
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
