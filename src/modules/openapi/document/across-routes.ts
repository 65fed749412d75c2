import type { HttpMethod, Schema } from './openapi-types.js';
import { LIST_PARAMETERS, type ParameterName } from './parameters.js';
import {
  PATCH_TYPES,
  wantedAspect,
  WRITE_ERRORS,
  type Answer,
  type Route,
  type RouteContext,
} from './routes.js';
import { closed, withNulls, entityName, listOf, scrollId, urn, whole } from './route-words.js';

/** An entity of any kind. */
export const anyEntity = (context: RouteContext): Schema =>
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

/** An item of a batch: a URN, and aspects of any kind by name. @param kind which aspects there may be */
export const anyItem = (
  context: RouteContext,
  name: 'AnyWriteItem' | 'AnyPatchItem' | 'AnyWantedItem',
  aspect: Schema,
  kind?: 'versioned',
): Schema =>
  context.schemas.component(name, () => ({
    type: 'object',
    required: ['urn'],
    // One that writes nothing is refused.
    ...(name !== 'AnyWantedItem' && { minProperties: 2 }),
    propertyNames: { enum: ['urn', ...context.schemas.aspectNames(kind)] },
    properties: { urn: urn(context) },
    additionalProperties: aspect,
  }));

/**
 * Lists of items, by the names of the kinds of entities. Which aspects a kind has, and what they hold, is said in the
 * documents of the entities.
 */
const byEntity = (context: RouteContext, item: Schema): Schema => ({
  type: 'object',
  description: 'Lists of items, by the names of the kinds of entities.',
  propertyNames: { enum: context.schemas.entityNames() },
  additionalProperties: listOf(item),
});

/** An aspect of any kind as writes take it. */
export const anyWrite = ({ schemas }: RouteContext): Schema =>
  schemas.component('AnyAspectWrite', () =>
    closed(
      {
        value: { type: 'object' },
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
  description: string;
  parameters: readonly ParameterName[];
  types?: readonly string[];
  item: (context: RouteContext) => Schema;
  /** One item, of a tag. */
  example: unknown;
}): Route<RouteContext> => ({
  method: about.method,
  path: '/openapi/v3/entity/generic',
  name: about.name,
  summary: () => about.summary,
  description: about.description,
  parameters: about.parameters,
  body: (context) => ({
    ...(about.types && { types: about.types }),
    media: {
      schema: byEntity(context, about.item(context)),
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
    description:
      'Like the lists of single kinds, with a filter in the body and sort keys with an order each.',
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
            ...listOf(context.schemas.aspectName('versioned')),
            description: 'Left out: only URNs. Empty: all aspects.',
          },
          filter: context.schemas.common('Filter'),
          sortCriteria: listOf(context.schemas.common('SortCriterion')),
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
    description:
      'Items by their kind, with whole aspects, in one transaction: if one is refused, none is written. Runs asynchronously (202) unless `async=false`.',
    parameters: [
      'asyncBatch',
      'systemMetadata',
      'createIfNotExists',
      'createIfEntityNotExists',
      'idempotencyKey',
    ],
    item: (context) => anyItem(context, 'AnyWriteItem', anyWrite(context)),
    example: TAG_ITEM,
  }),
  writeByKind({
    method: 'patch',
    name: 'patchGeneric',
    summary: 'Patches aspects of entities of several kinds: all or none',
    description:
      'Items by their kind, with a JSON patch for each aspect, in one transaction: if one is refused, none is applied. Runs asynchronously (202) unless `async=false`.',
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    types: PATCH_TYPES,
    item: (context) => anyItem(context, 'AnyPatchItem', context.schemas.common('AspectPatch'), 'versioned'),
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
    description:
      'URNs by their kind, each with the aspects to read. Entities that do not exist are left out.',
    parameters: ['systemMetadata'],
    body: (context) => ({
      media: {
        schema: byEntity(context, anyItem(context, 'AnyWantedItem', wantedAspect(context))),
        example: { tag: [{ urn: 'urn:li:tag:pii', tagProperties: {} }] },
      },
    }),
    answers: (context) => ({ 200: entitiesByKind('The entities that exist.')(context) }),
    errors: [400, 413],
  },
];
