import type { HttpMethod, Schema } from './openapi-types.js';
import { LIST_PARAMETERS, type ParameterName } from './parameters.js';
import { PATCH_TYPES, WANTED, WRITE_ERRORS, type Answer, type Route, type RouteContext } from './routes.js';
import { closed, withNulls, entityName, listOf, scrollId, urn, whole } from './route-words.js';

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

/**
 * Lists of items, by the names of the kinds of entities. Which aspects a kind has, and what they hold, is said in the
 * documents of the entities.
 */
const byEntity = (
  context: RouteContext,
  aspect: Schema,
  aspects: readonly string[],
  minProperties = 1,
): Schema => ({
  type: 'object',
  description: 'Lists of items, by the names of the kinds of entities.',
  propertyNames: { enum: context.schemas.entityNames() },
  additionalProperties: listOf({
    type: 'object',
    required: ['urn'],
    minProperties,
    propertyNames: { enum: ['urn', ...aspects] },
    properties: { urn: urn(context) },
    additionalProperties: aspect,
  }),
});

/** An aspect of any kind as writes take it. */
const anyWrite = ({ schemas }: RouteContext, value: Schema, name: string): Schema =>
  schemas.component(name, () =>
    closed(
      {
        value,
        systemMetadata: schemas.common('SystemMetadataInput'),
        headers: schemas.common('WriteConditions'),
      },
      ['value'],
    ),
  );

const queuedByKind = ({ schemas }: RouteContext): Answer => ({
  description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
  schema: { type: 'object', additionalProperties: listOf(schemas.common('QueuedWrite')) },
});

const entitiesByKind =
  (description: string) =>
  (context: RouteContext): Answer => ({
    description,
    schema: { type: 'object', additionalProperties: listOf(anyEntity(context)) },
  });

/** A write of entities of several kinds, whole aspects or patches. */
const writeByKind = (about: {
  method: HttpMethod;
  name: string;
  summary: string;
  parameters: readonly ParameterName[];
  types?: readonly string[];
  /** One aspect of an item. */
  aspect: (context: RouteContext) => Schema;
  /** Names of the aspects that an item may have. */
  aspects: (context: RouteContext) => readonly string[];
  /** One item, of a tag. */
  example: unknown;
}): Route<RouteContext> => ({
  method: about.method,
  path: '/openapi/v3/entity/generic',
  name: about.name,
  summary: () => about.summary,
  parameters: about.parameters,
  body: (context) => ({
    ...(about.types && { types: about.types }),
    media: {
      schema: byEntity(context, about.aspect(context), about.aspects(context), 2),
      example: { tag: [about.example] },
    },
  }),
  answers: (context) => ({
    200: entitiesByKind('What was written, as it stands now.')(context),
    202: queuedByKind(context),
  }),
  errors: WRITE_ERRORS,
});

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
    body: (context) => ({
      optional: true,
      media: {
        schema: withNulls({
          entities: {
            ...listOf(entityName(context)),
            description: 'All common ones when left out.',
          },
          aspects: {
            ...listOf({ type: 'string', enum: context.schemas.aspectNames('versioned') }),
            description: 'Left out: only URNs. Empty: all aspects.',
          },
          filter: context.schemas.common('Filter'),
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
  writeByKind({
    method: 'post',
    name: 'writeGeneric',
    summary: 'Writes aspects of entities of several kinds: all or none',
    parameters: [
      'asyncBatch',
      'systemMetadata',
      'createIfNotExists',
      'createIfEntityNotExists',
      'idempotencyKey',
    ],
    aspect: (context) => anyWrite(context, { type: 'object' }, 'AnyAspectWrite'),
    aspects: ({ schemas }) => schemas.aspectNames(),
    example: TAG_ITEM,
  }),
  writeByKind({
    method: 'patch',
    name: 'patchGeneric',
    summary: 'Patches aspects of entities of several kinds: all or none',
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    types: PATCH_TYPES,
    aspect: (context) => anyWrite(context, context.schemas.common('Patch'), 'AnyAspectPatch'),
    aspects: ({ schemas }) => schemas.aspectNames('versioned'),
    example: {
      urn: 'urn:li:tag:pii',
      tagProperties: {
        value: { patch: [{ op: 'add', path: '/description', value: 'Tells about a person.' }] },
      },
    },
  }),
  {
    method: 'post',
    path: '/openapi/v3/entity/generic/batchGet',
    name: 'batchGetGeneric',
    summary: () => 'Reads entities of several kinds',
    parameters: ['systemMetadata'],
    body: (context) => ({
      media: {
        schema: byEntity(
          context,
          context.schemas.component('WantedAspect', () => WANTED),
          context.schemas.aspectNames(),
        ),
        example: { tag: [{ urn: 'urn:li:tag:pii', tagProperties: {} }] },
      },
    }),
    answers: (context) => ({ 200: entitiesByKind('The entities that exist.')(context) }),
    errors: [400, 413],
  },
];
