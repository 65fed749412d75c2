import { ACROSS_ENTITIES, anyEntity, anyItem, anyWrite } from './across-routes.js';
import type { Parameter } from './openapi-types.js';
import { CONDITIONS, LIST_PARAMETERS } from './parameters.js';
import { DATASET, closed, entityName, listOf, path, query, scrollId, urn, whole } from './route-words.js';
import {
  NOT_MODIFIED,
  PATCH_TYPES,
  READ_ERRORS,
  WRITE_ERRORS,
  wantedAspect,
  type Answer,
  type Route,
  type RouteContext,
} from './routes.js';

const entityPath = (context: RouteContext): Parameter =>
  path('entity', 'The kind of the entity, as in its URN.', entityName(context), 'dataset');
const urnPath = (context: RouteContext): Parameter =>
  path('urn', 'The URN of the entity, percent-encoded.', urn(context), DATASET);
const aspectPath = ({ schemas }: RouteContext): Parameter =>
  path('aspect', 'The name of the aspect.', schemas.aspectName(), 'datasetProperties');

const ofEntity = (context: RouteContext): Parameter[] => [entityPath(context), urnPath(context)];
const ofAspect = (context: RouteContext): Parameter[] => [...ofEntity(context), aspectPath(context)];
const aspectNames = ({ schemas }: RouteContext): Parameter =>
  query('aspects', 'Only these aspects; may be repeated. All when left out.', listOf(schemas.aspectName()));

const PROPERTIES = { name: 'orders', description: 'One row for each order of the shop.' };
const ENTITY = { urn: DATASET, datasetProperties: { value: PROPERTIES } };
const PATCH = { patch: [{ op: 'add', path: '/description', value: PROPERTIES.description }] };

const one =
  (description: string, shared: string) =>
  (context: RouteContext): Answer => ({
    description,
    shared,
    tagged: true,
    schema: anyEntity(context),
    example: ENTITY,
  });
const several =
  (description: string, shared: string) =>
  (context: RouteContext): Answer => ({
    description,
    shared,
    schema: listOf(anyEntity(context)),
    example: [ENTITY],
  });
const entity = one('The entity with the aspects asked for.', 'EntityAnswer');
const aspect = one('The aspect as it stands now.', 'AspectAnswer');
const written = several('What was written, as it stands now.', 'WrittenAnswer');

const queued = ({ schemas }: RouteContext): Answer => ({
  description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
  shared: 'QueuedAnswer',
  schema: schemas.common('QueuedWrite'),
});
const queuedList = ({ schemas }: RouteContext): Answer => ({
  description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
  shared: 'QueuedListAnswer',
  schema: listOf(schemas.common('QueuedWrite')),
});

const KIND = '/openapi/v3/entity/{entity}';
const ENTITIES: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: KIND,
    name: 'listEntities',
    summary: () => 'Lists the entities of one kind, page by page',
    description:
      'Filters by `query`, sorts, and answers a page with `scrollId` for the next one. Writes that were answered before are included.',
    parameters: LIST_PARAMETERS,
    more: (context) => [entityPath(context), aspectNames(context)],
    answers: (context) => ({
      200: {
        description: 'One page.',
        schema: closed(
          {
            scrollId,
            entities: listOf(anyEntity(context)),
            facets: context.schemas.common('Facets'),
            totalCount: whole({ description: 'How many there are on all pages.' }),
          },
          ['scrollId', 'entities', 'facets', 'totalCount'],
        ),
        example: { scrollId: null, entities: [ENTITY], facets: [], totalCount: 1 },
      },
    }),
    errors: [400],
  },
  {
    method: 'post',
    path: KIND,
    name: 'writeEntities',
    summary: () => 'Writes aspects of several entities of one kind: all or none',
    description:
      'All aspects of all items are written in one transaction: if one is refused, none is written. Runs asynchronously (202) unless `async=false`.',
    parameters: [
      'asyncBatch',
      'systemMetadata',
      'createIfNotExists',
      'createIfEntityNotExists',
      'idempotencyKey',
    ],
    more: (context) => [entityPath(context)],
    body: (context) => ({
      media: { schema: listOf(anyItem(context, 'AnyWriteItem', anyWrite(context))), example: [ENTITY] },
    }),
    answers: (context) => ({ 200: written(context), 202: queuedList(context) }),
    errors: WRITE_ERRORS,
  },
  {
    method: 'patch',
    path: KIND,
    name: 'patchEntities',
    summary: () => 'Patches aspects of several entities of one kind: all or none',
    description:
      'JSON patches of several aspects of several entities, in one transaction: if one is refused, none is applied. Runs asynchronously (202) unless `async=false`.',
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    more: (context) => [entityPath(context)],
    body: (context) => ({
      types: PATCH_TYPES,
      media: {
        schema: listOf(anyItem(context, 'AnyPatchItem', context.schemas.common('AspectPatch'), 'versioned')),
        example: [{ urn: DATASET, datasetProperties: { value: PATCH } }],
      },
    }),
    answers: (context) => ({ 200: written(context), 202: queuedList(context) }),
    errors: WRITE_ERRORS,
  },
  {
    method: 'post',
    path: `${KIND}/batchGet`,
    name: 'batchGetEntities',
    summary: () => 'Reads several entities of one kind',
    description:
      'Each item names a URN and the aspects to read; `If-Version-Match` in the headers of an aspect asks for an earlier version. Entities without any of them are left out.',
    parameters: ['systemMetadata'],
    more: (context) => [entityPath(context)],
    body: (context) => ({
      media: {
        schema: listOf(anyItem(context, 'AnyWantedItem', wantedAspect(context))),
        example: [{ urn: DATASET, datasetProperties: {} }],
      },
    }),
    answers: (context) => ({
      200: several('The entities that exist, in the order of the request.', 'EntitiesAnswer')(context),
    }),
    errors: [400, 413],
  },
  {
    method: 'get',
    path: `${KIND}/{urn}`,
    name: 'getEntity',
    summary: () => 'Reads an entity',
    description:
      'Answers the URN and the latest value of each aspect, or of those in `aspects`. The ETag changes with any aspect.',
    parameters: ['systemMetadata', 'ifNoneMatchRead'],
    more: (context) => [...ofEntity(context), aspectNames(context)],
    answers: (context) => ({ 200: entity(context), ...NOT_MODIFIED }),
    errors: READ_ERRORS,
  },
  {
    method: 'head',
    path: `${KIND}/{urn}`,
    name: 'entityExists',
    summary: () => 'Tells whether an entity exists',
    description: 'Answers 204 or 404, without a body.',
    parameters: ['existsSoftDelete', 'ifNoneMatchRead'],
    more: ofEntity,
    answers: () => ({ 204: { description: 'It exists.', tagged: true }, ...NOT_MODIFIED }),
    errors: READ_ERRORS,
  },
  {
    method: 'delete',
    path: `${KIND}/{urn}`,
    name: 'deleteEntity',
    summary: () => 'Deletes an entity for good, or some of its aspects',
    description:
      'Deletes the entity with all aspects and their history. References to it are removed afterwards. With `aspects` only these are deleted, with `clear` all but the key.',
    parameters: ['clear', 'asyncWrite', 'ifEntityMatch', 'idempotencyKey'],
    more: (context) => [...ofEntity(context), aspectNames(context)],
    answers: () => ({ 200: { description: 'Deleted.' }, 202: { description: 'Queued.' } }),
    errors: WRITE_ERRORS,
  },
];

const ASPECT = `${KIND}/{urn}/{aspect}`;
const ASPECTS: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: ASPECT,
    name: 'getEntityAspect',
    summary: () => 'Reads one aspect, its latest or an earlier version',
    description:
      'The answer has the URN, and the aspect under its name. The ETag is for conditional reads and writes.',
    parameters: ['version', 'systemMetadata', 'ifNoneMatchRead'],
    more: ofAspect,
    answers: (context) => ({ 200: aspect(context), ...NOT_MODIFIED }),
    errors: READ_ERRORS,
  },
  {
    method: 'head',
    path: ASPECT,
    name: 'aspectExists',
    summary: () => 'Tells whether an entity has an aspect',
    description: 'Answers 204 or 404, without a body.',
    parameters: ['ifNoneMatchRead'],
    more: ofAspect,
    answers: () => ({ 204: { description: 'It has.', tagged: true }, ...NOT_MODIFIED }),
    errors: READ_ERRORS,
  },
  {
    method: 'post',
    path: ASPECT,
    name: 'writeAspect',
    summary: () => 'Writes one aspect, replacing what it was',
    description:
      'Creates the entity if there is none. The aspect is replaced as a whole; an event of a time series is added. A value equal to the stored one changes nothing.',
    parameters: [
      'asyncWrite',
      'systemMetadata',
      'createIfNotExists',
      'createIfEntityNotExists',
      ...CONDITIONS,
      'idempotencyKey',
    ],
    more: ofAspect,
    body: (context) => ({ media: { schema: anyWrite(context), example: { value: PROPERTIES } } }),
    answers: (context) => ({ 200: aspect(context), 202: queued(context) }),
    errors: WRITE_ERRORS,
  },
  {
    method: 'patch',
    path: ASPECT,
    name: 'patchAspect',
    summary: () => 'Applies a JSON patch to one aspect',
    description:
      'Applies JSON patch operations (RFC 6902) to the stored value. Elements of keyed arrays are addressed by their key instead of their index. A missing aspect is created.',
    parameters: ['asyncWrite', 'systemMetadata', 'createIfNotExists', ...CONDITIONS, 'idempotencyKey'],
    more: ofAspect,
    body: ({ schemas }) => ({
      types: PATCH_TYPES,
      media: { schema: schemas.common('Patch'), example: PATCH },
    }),
    answers: (context) => ({ 200: aspect(context), 202: queued(context) }),
    errors: WRITE_ERRORS,
  },
  {
    method: 'delete',
    path: ASPECT,
    name: 'deleteAspect',
    summary: () => 'Deletes one aspect with its history; of a time series the newest event',
    description: 'The entity stays; deleting its key aspect deletes the entity.',
    parameters: ['asyncWrite', 'ifMatch', 'ifVersionMatch', 'idempotencyKey'],
    more: ofAspect,
    answers: () => ({ 200: { description: 'Deleted.' }, 202: { description: 'Queued.' } }),
    errors: WRITE_ERRORS,
  },
];

const FROM_OTHERS = [
  'relationshipsOfEntity',
  'scrollLineage',
  'listEvents',
  'getReceipt',
  'listEntitySpecifications',
  'getAspectSpecification',
];

/** Entities and aspects of any kind by one address each, and what most back ends need beside them. */
export const generic = (declared: ReadonlyArray<Route<RouteContext>>): ReadonlyArray<Route<RouteContext>> => [
  ...ENTITIES,
  ...ASPECTS,
  ...ACROSS_ENTITIES,
  ...declared.filter(({ name }) => FROM_OTHERS.includes(name)),
];
