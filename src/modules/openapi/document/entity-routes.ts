import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import { patchExample } from './aspect-routes.js';
import { capital, type ModelSchemas } from './model-schemas.js';
import type { Parameter, Schema } from './openapi-types.js';
import { LIST_PARAMETERS } from './parameters.js';
import { listOf, nullable } from './route-words.js';
import {
  NOT_MODIFIED,
  PATCH_TYPES,
  READ_ERRORS,
  wantedAspect,
  WRITE_ERRORS,
  type Answer,
  type Body,
  type EntityContext,
  type Route,
  type RouteContext,
} from './routes.js';

function queuedList({ schemas }: RouteContext): Answer {
  return {
    description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
    shared: 'QueuedListAnswer',
    schema: listOf(schemas.common('QueuedWrite')),
  };
}

/** The name of an aspect of the entity. */
const aspectName = (entity: EntitySpec, schemas: ModelSchemas, kind?: AspectSpec['kind']): Schema =>
  schemas.component(`${capital(entity.name)}${kind === undefined ? '' : capital(kind)}AspectName`, () => ({
    type: 'string',
    enum: [...entity.aspects.values()]
      .filter((aspect) => kind === undefined || aspect.kind === kind)
      .map(({ name }) => name),
  }));

function aspectNames({ entity, schemas }: EntityContext): Parameter[] {
  return [
    {
      name: 'aspects',
      in: 'query',
      description: 'Only these aspects; may be repeated. All when left out.',
      schema: listOf(aspectName(entity, schemas)),
    },
  ];
}

function versionedNames(context: EntityContext): Parameter[] {
  const name = aspectName(context.entity, context.schemas, 'versioned');
  return aspectNames(context).map((parameter) => ({ ...parameter, schema: listOf(name) }));
}

/** An entity as an answer shows it, with its key and one aspect that people know. */
function entityExample({ entity, examples }: EntityContext, version: 'v2' | 'v3'): unknown {
  const shown = [
    'datasetProperties',
    'propertyDefinition',
    'glossaryTermInfo',
    'tagProperties',
    'corpUserInfo',
    'status',
  ];
  const aspects = [...entity.aspects.values()].filter((a) => a === entity.key || shown.includes(a.name));
  const values = Object.fromEntries(aspects.map((a) => [a.name, { value: examples.value(entity, a) }]));
  const urn = examples.urn(entity);
  return version === 'v3' ? { urn, ...values } : { urn, aspects: values };
}

/** The aspect that the example of a patch is about. */
function patchedAspect(entity: EntitySpec): AspectSpec {
  const versioned = [...entity.aspects.values()].filter(({ kind }) => kind === 'versioned');
  return entity.aspects.get('status') ?? versioned.find((aspect) => aspect !== entity.key) ?? entity.key;
}

function page(context: EntityContext, version: 'v2' | 'v3'): Answer {
  const list = version === 'v3' ? 'entities' : 'results';
  return {
    description: 'One page.',
    schema: {
      type: 'object',
      required: [...(version === 'v3' ? ['scrollId'] : []), list, 'facets', 'totalCount'],
      additionalProperties: false,
      properties: {
        scrollId:
          version === 'v3'
            ? { type: ['string', 'null'], description: 'Where to go on; null on the last page.' }
            : { type: 'string', description: 'Where to go on; absent on the last page.' },
        [list]: listOf(context.schemas.entity(context.entity, version)),
        facets: context.schemas.common('Facets'),
        totalCount: { type: 'integer', minimum: 0, description: 'How many there are on all pages.' },
      },
    },
    example: {
      ...(version === 'v3' && { scrollId: null }),
      [list]: [entityExample(context, version)],
      facets: [],
      totalCount: 1,
    },
  };
}

/** Where the two versions of the surface differ only in shape. */
function entityRoutes(version: 'v2' | 'v3'): Route<EntityContext>[] {
  const base = `/openapi/${version}/entity/{entity}`;
  const V = version.toUpperCase();
  const read = (context: EntityContext): Answer => ({
    description: 'The entity.',
    shared: `${capital(context.entity.name)}Answer`,
    tagged: true,
    schema: context.schemas.entity(context.entity, version),
    example: entityExample(context, version),
  });
  const items = (context: EntityContext): Body => ({
    media: {
      schema: listOf(context.schemas.item(context.entity, version)),
      example: [entityExample(context, version)],
    },
  });
  const written = (context: EntityContext): Answer => ({
    description: 'What was written, as it stands now.',
    shared: `${capital(context.entity.name)}ListAnswer`,
    schema: listOf(context.schemas.entity(context.entity, version)),
    example: [entityExample(context, version)],
  });
  return [
    {
      method: 'get',
      path: base,
      name: `list${V}`,
      summary: ({ entity }) => `Lists entities of the kind ${entity.name}, page by page`,
      description:
        'Filters by `query`, sorts, and answers a page with `scrollId` for the next one. Writes that were answered before are included.',
      parameters: LIST_PARAMETERS,
      more: versionedNames,
      answers: (context) => ({ 200: page(context, version) }),
      errors: [400],
    },
    {
      method: 'post',
      path: base,
      name: `writeAll${V}`,
      summary: ({ entity }) => `Writes aspects of several ${entity.name} entities: all or none`,
      description:
        'All aspects of all items are written in one transaction: if one is refused, none is written. Runs asynchronously (202) unless `async=false`.',
      parameters: [
        'asyncBatch',
        'systemMetadata',
        'createIfNotExists',
        'createIfEntityNotExists',
        'idempotencyKey',
      ],
      body: items,
      answers: (context) => ({ 200: written(context), 202: queuedList(context) }),
      errors: WRITE_ERRORS,
    },
    {
      method: 'get',
      path: `${base}/{urn}`,
      name: `get${V}`,
      summary: ({ entity }) => `Reads one ${entity.name}`,
      description:
        'Answers the URN and the latest value of each aspect, or of those in `aspects`. The ETag changes with any aspect.',
      parameters: ['systemMetadata', 'ifNoneMatchRead'],
      more: aspectNames,
      answers: (context) => ({ 200: read(context), ...NOT_MODIFIED }),
      errors: READ_ERRORS,
    },
    {
      method: 'head',
      path: `${base}/{urn}`,
      name: `exists${V}`,
      summary: ({ entity }) => `Tells whether a ${entity.name} exists`,
      description: 'Answers 204 or 404, without a body.',
      parameters: ['existsSoftDelete', 'ifNoneMatchRead'],
      answers: () => ({ 204: { description: 'It exists.', tagged: true }, ...NOT_MODIFIED }),
      errors: READ_ERRORS,
    },
    {
      method: 'delete',
      path: `${base}/{urn}`,
      name: `delete${V}`,
      summary: ({ entity }) => `Deletes a ${entity.name} for good, or some of its aspects`,
      description:
        'Deletes the entity with all aspects and their history. References to it are removed afterwards. With `aspects` only these are deleted, with `clear` all but the key.',
      parameters: ['clear', 'asyncWrite', 'ifEntityMatch', 'idempotencyKey'],
      more: aspectNames,
      answers: () => ({ 200: { description: 'Deleted.' }, 202: { description: 'Queued.' } }),
      errors: WRITE_ERRORS,
    },
  ];
}

function severalV3(context: EntityContext, description: string): Answer {
  return {
    description,
    shared: `${capital(context.entity.name)}ListAnswer`,
    schema: listOf(context.schemas.entity(context.entity, 'v3')),
    example: [entityExample(context, 'v3')],
  };
}

const V3_BATCHES: Route<EntityContext>[] = [
  {
    method: 'patch',
    path: '/openapi/v3/entity/{entity}',
    name: 'patchAllV3',
    summary: ({ entity }) => `Patches aspects of several ${entity.name} entities: all or none`,
    description:
      'JSON patches of several aspects of several entities, in one transaction: if one is refused, none is applied. Runs asynchronously (202) unless `async=false`.',
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    body: ({ entity, schemas, examples }) => ({
      types: PATCH_TYPES,
      media: {
        schema: listOf(
          schemas.component(`${capital(entity.name)}PatchItem`, () => ({
            type: 'object',
            required: ['urn'],
            minProperties: 2,
            additionalProperties: false,
            properties: {
              urn: schemas.urn(entity),
              ...Object.fromEntries(
                [...entity.aspects.values()]
                  .filter((aspect) => aspect.kind === 'versioned')
                  .map((aspect) => [aspect.name, schemas.common('AspectPatch')]),
              ),
            },
          })),
        ),
        example: [
          {
            urn: examples.urn(entity),
            [patchedAspect(entity).name]: {
              value: patchExample({ entity, aspect: patchedAspect(entity), schemas, examples }),
            },
          },
        ],
      },
    }),
    answers: (context) => ({
      200: severalV3(context, 'What was written, as it stands now.'),
      202: queuedList(context),
    }),
    errors: WRITE_ERRORS,
  },
  {
    method: 'post',
    path: '/openapi/v3/entity/{entity}/batchGet',
    name: 'batchGetV3',
    summary: ({ entity }) => `Reads several ${entity.name} entities; those without any of it are left out`,
    description:
      'Each item names a URN and the aspects to read; `If-Version-Match` in the headers of an aspect asks for an earlier version.',
    parameters: ['systemMetadata'],
    body: ({ entity, schemas, examples }) => ({
      media: {
        schema: listOf(
          schemas.component(`${capital(entity.name)}WantedItem`, () => ({
            type: 'object',
            required: ['urn'],
            additionalProperties: false,
            properties: {
              urn: schemas.urn(entity),
              ...Object.fromEntries(
                [...entity.aspects.keys()].map((name) => [
                  name,
                  nullable(wantedAspect({ schemas, examples })),
                ]),
              ),
            },
          })),
        ),
        example: [{ urn: examples.urn(entity), [entity.key.name]: {} }],
      },
    }),
    answers: (context) => ({
      200: severalV3(context, 'The entities that exist, in the order of the request.'),
    }),
    errors: [400, 413],
  },
];

const V2_BATCHES: Route<EntityContext>[] = [
  {
    method: 'post',
    path: '/openapi/v2/entity/batch/{entity}',
    name: 'batchGetV2',
    summary: ({ entity }) => `Reads several ${entity.name} entities`,
    description: 'Answers the latest aspects of the entities; URNs without an entity are left out.',
    body: ({ entity, schemas, examples }) => ({
      media: {
        schema: {
          type: 'object',
          required: ['urns'],
          additionalProperties: false,
          properties: {
            urns: listOf(schemas.urn(entity)),
            aspectNames: {
              ...listOf(aspectName(entity, schemas)),
              type: ['array', 'null'],
            },
            withSystemMetadata: { type: ['boolean', 'null'], default: false },
          },
        },
        example: { urns: [examples.urn(entity)], aspectNames: [entity.key.name] },
      },
    }),
    answers: (context) => ({
      200: {
        description: 'The entities that exist.',
        schema: {
          type: 'object',
          required: ['entities'],
          additionalProperties: false,
          properties: { entities: listOf(context.schemas.entity(context.entity, 'v2')) },
        },
      },
    }),
    errors: [400, 413],
  },
];

/** Routes that every entity of the model has. */
export const ENTITY_ROUTES: Readonly<Record<'v2' | 'v3', readonly Route<EntityContext>[]>> = {
  v2: [...entityRoutes('v2'), ...V2_BATCHES],
  v3: [...entityRoutes('v3'), ...V3_BATCHES],
};
