import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import type { Examples } from './examples.js';
import type { ModelSchemas } from './model-schemas.js';
import type { HttpMethod, MediaType, Parameter, Schema } from './openapi-types.js';
import { CONDITIONS, LIST_PARAMETERS, type ParameterName } from './parameters.js';

/** What a route is described for: the schemas and examples to describe it with, and which entity and aspect it is about. */
export interface RouteContext {
  schemas: ModelSchemas;
  examples: Examples;
}
export interface EntityContext extends RouteContext {
  entity: EntitySpec;
}
export interface AspectContext extends EntityContext {
  aspect: AspectSpec;
}

/** An answer: a description, and JSON of a schema. */
export interface Answer {
  description: string;
  schema?: Schema;
  example?: unknown;
  /** The name under which several operations share it. */
  shared?: string;
  /** Whether an ETag comes with it. */
  tagged?: boolean;
}

export interface Body {
  description?: string;
  /** `application/json` when left out. */
  types?: readonly string[];
  media: MediaType;
  optional?: boolean;
}

/** One route, said once for all entities and aspects that it serves. */
export interface Route<C extends RouteContext> {
  method: HttpMethod;
  /** With `{entity}` and `{aspect}` to be filled in, `{urn}` and others as parameters. */
  path: string;
  /** What the operation is called, in front of the names of entity and aspect. */
  name: string;
  /** The group it stands in, where that is not the entity. */
  tag?: string;
  summary: (context: C) => string;
  description?: string;
  deprecated?: boolean;
  /** Which form its errors have. */
  surface?: 'aspect-api';
  /** Needs no token. */
  open?: boolean;
  parameters?: readonly ParameterName[];
  /** Parameters of its own. */
  more?: (context: C) => Parameter[];
  body?: (context: C) => Body;
  answers: (context: C) => Readonly<Record<number, Answer>>;
  /** Statuses of errors besides 401, 403 and 503. */
  errors: readonly number[];
  /** Left out for time series, whose events can only be added. */
  versionedOnly?: boolean;
}

export const READ_ERRORS = [400, 404] as const;
const WRITE_ERRORS = [400, 404, 409, 412, 413, 422] as const;
const PATCH_TYPES = ['application/json-patch+json', 'application/json'];

const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The answer to a write that is carried out later. */
export function queued({ schemas }: RouteContext): Answer {
  return {
    description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
    shared: 'Queued',
    schema: schemas.common('QueuedWrite'),
  };
}

function queuedList({ schemas }: RouteContext): Answer {
  return {
    description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
    shared: 'QueuedList',
    schema: listOf(schemas.common('QueuedWrite')),
  };
}

function aspectNames({ entity }: EntityContext): Parameter[] {
  const names = [...entity.aspects.values()].map((aspect) => aspect.name);
  return [
    {
      name: 'aspects',
      in: 'query',
      description: 'Only these aspects; may be repeated. All when left out.',
      schema: { type: 'array', items: { type: 'string', enum: names } },
    },
  ];
}

function versionedNames(context: EntityContext): Parameter[] {
  const names = [...context.entity.aspects.values()].filter((a) => a.kind === 'versioned').map((a) => a.name);
  return aspectNames(context).map((p) => ({
    ...p,
    schema: { type: 'array', items: { type: 'string', enum: names } },
  }));
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

function oneAspect({ entity, aspect, schemas, examples }: AspectContext, version: 'v2' | 'v3'): Answer {
  const member = { [aspect.name]: schemas.read(aspect) };
  const value = { [aspect.name]: { value: examples.value(entity, aspect) } };
  const urn = examples.urn(entity);
  const inner = { type: 'object', additionalProperties: false, properties: member };
  return {
    description: `The ${aspect.name} as it stands now.`,
    shared: `${entity.name}-${aspect.name}`,
    tagged: true,
    schema: {
      type: 'object',
      required: version === 'v3' ? ['urn'] : ['urn', 'aspects'],
      additionalProperties: false,
      properties: { urn: schemas.urn(entity), ...(version === 'v3' ? member : { aspects: inner }) },
    },
    example: version === 'v3' ? { urn, ...value } : { urn, aspects: value },
  };
}

function page(context: EntityContext, version: 'v2' | 'v3'): Answer {
  const list = version === 'v3' ? 'entities' : 'results';
  return {
    description: 'One page.',
    schema: {
      type: 'object',
      required: ['scrollId', list, 'facets', 'totalCount'],
      additionalProperties: false,
      properties: {
        scrollId: { type: ['string', 'null'], description: 'Where to go on; null on the last page.' },
        [list]: listOf(context.schemas.entity(context.entity, version)),
        facets: context.schemas.common('Facets'),
        totalCount: { type: 'integer', minimum: 0, description: 'How many there are on all pages.' },
      },
    },
    example: { scrollId: null, [list]: [entityExample(context, version)], facets: [], totalCount: 1 },
  };
}

function patchExample({ entity, aspect, examples }: AspectContext): unknown {
  const value = examples.value(entity, aspect);
  if (aspect.name === 'structuredProperties') {
    const property = {
      propertyUrn: 'urn:li:structuredProperty:io.acme.retentionTime',
      values: [{ double: 30 }],
    };
    return {
      patch: [{ op: 'add', path: `/properties/${property.propertyUrn}`, value: property }],
      arrayPrimaryKeys: { properties: ['propertyUrn'] },
    };
  }
  const [name, member] = Object.entries(value as Record<string, unknown>)[0] ?? ['name', 'text'];
  return { patch: [{ op: 'add', path: `/${name}`, value: member }] };
}

/** Where the two versions of the surface differ only in shape. */
function entityRoutes(version: 'v2' | 'v3'): Route<EntityContext>[] {
  const base = `/openapi/${version}/entity/{entity}`;
  const V = version.toUpperCase();
  const read = (context: EntityContext): Answer => ({
    description: 'The entity.',
    shared: context.entity.name,
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
    shared: `${context.entity.name}-list`,
    schema: listOf(context.schemas.entity(context.entity, version)),
    example: [entityExample(context, version)],
  });
  return [
    {
      method: 'get',
      path: base,
      name: `list${V}`,
      summary: ({ entity }) => `Lists entities of the kind ${entity.name}, page by page`,
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
      parameters: ['systemMetadata'],
      more: aspectNames,
      answers: (context) => ({ 200: read(context) }),
      errors: READ_ERRORS,
    },
    {
      method: 'head',
      path: `${base}/{urn}`,
      name: `exists${V}`,
      summary: ({ entity }) => `Tells whether a ${entity.name} exists`,
      parameters: ['existsSoftDelete'],
      answers: () => ({ 204: { description: 'It exists.', tagged: true } }),
      errors: READ_ERRORS,
    },
    {
      method: 'delete',
      path: `${base}/{urn}`,
      name: `delete${V}`,
      summary: ({ entity }) => `Deletes a ${entity.name} for good, or some of its aspects`,
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
    shared: `${context.entity.name}-list`,
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
    parameters: ['asyncBatch', 'systemMetadata', 'idempotencyKey'],
    body: ({ entity, schemas, examples }) => ({
      types: PATCH_TYPES,
      media: {
        schema: listOf({
          type: 'object',
          required: ['urn'],
          minProperties: 2,
          additionalProperties: false,
          properties: {
            urn: schemas.urn(entity),
            ...Object.fromEntries(
              [...entity.aspects.values()]
                .filter((aspect) => aspect.kind === 'versioned')
                .map((aspect) => [
                  aspect.name,
                  {
                    type: 'object',
                    required: ['value'],
                    additionalProperties: false,
                    properties: {
                      value: schemas.common('Patch'),
                      systemMetadata: schemas.common('SystemMetadataInput'),
                      headers: schemas.common('WriteConditions'),
                    },
                  },
                ]),
            ),
          },
        }),
        example: [
          {
            urn: examples.urn(entity),
            ...(entity.has('status') && {
              status: { value: { patch: [{ op: 'add', path: '/removed', value: false }] } },
            }),
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
    parameters: ['systemMetadata'],
    body: ({ entity, schemas, examples }) => ({
      media: {
        schema: listOf({
          type: 'object',
          required: ['urn'],
          additionalProperties: false,
          properties: {
            urn: schemas.urn(entity),
            ...Object.fromEntries(
              [...entity.aspects.keys()].map((name) => [
                name,
                schemas.component('WantedAspect', () => WANTED),
              ]),
            ),
          },
        }),
        example: [{ urn: examples.urn(entity), [entity.key.name]: {} }],
      },
    }),
    answers: (context) => ({
      200: severalV3(context, 'The entities that exist, in the order of the request.'),
    }),
    errors: [400, 413],
  },
];

const WANTED: Schema = {
  type: ['object', 'null'],
  description: 'Wants this aspect; If-Version-Match says in which version.',
  additionalProperties: false,
  properties: {
    headers: {
      type: ['object', 'null'],
      properties: { 'If-Version-Match': { type: 'string', pattern: '^[0-9]{1,15}$' } },
      additionalProperties: { type: 'string' },
    },
  },
};

const V2_BATCHES: Route<EntityContext>[] = [
  {
    method: 'post',
    path: '/openapi/v2/entity/batch/{entity}',
    name: 'batchGetV2',
    summary: ({ entity }) => `Reads several ${entity.name} entities`,
    body: ({ entity, schemas, examples }) => ({
      media: {
        schema: {
          type: 'object',
          required: ['urns'],
          additionalProperties: false,
          properties: {
            urns: listOf(schemas.urn(entity)),
            aspectNames: {
              ...listOf({ type: 'string', enum: [...entity.aspects.keys()] }),
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

function aspectRoutes(version: 'v2' | 'v3'): Route<AspectContext>[] {
  const path = `/openapi/${version}/entity/{entity}/{urn}/{aspect}`;
  const V = version.toUpperCase();
  return [
    {
      method: 'get',
      path,
      name: `get${V}`,
      summary: ({ entity, aspect }) => `Reads ${aspect.name} of a ${entity.name}`,
      parameters: ['version', 'systemMetadata'],
      answers: (context) => ({
        200:
          version === 'v3'
            ? oneAspect(context, 'v3')
            : {
                description: `The ${context.aspect.name}.`,
                tagged: true,
                schema: context.schemas.read(context.aspect),
                example: { value: context.examples.value(context.entity, context.aspect) },
              },
      }),
      errors: READ_ERRORS,
    },
    {
      method: 'head',
      path,
      name: `exists${V}`,
      summary: ({ entity, aspect }) => `Tells whether a ${entity.name} has ${aspect.name}`,
      answers: () => ({ 204: { description: 'It has.', tagged: true } }),
      errors: READ_ERRORS,
    },
    {
      method: 'post',
      path,
      name: `write${V}`,
      summary: ({ entity, aspect }) => `Writes ${aspect.name} of a ${entity.name}, replacing what it was`,
      parameters: [
        'asyncWrite',
        'systemMetadata',
        'createIfNotExists',
        'createIfEntityNotExists',
        ...CONDITIONS,
        'idempotencyKey',
      ],
      body: ({ entity, aspect, schemas, examples }) => {
        const value = examples.value(entity, aspect);
        return version === 'v3'
          ? { media: { schema: schemas.written(aspect), example: { value } } }
          : { media: { schema: schemas.value(aspect), example: value } };
      },
      answers: (context) => ({
        200: oneAspect(context, version),
        202: queued(context),
      }),
      errors: WRITE_ERRORS,
    },
    {
      method: 'patch',
      path,
      name: `patch${V}`,
      summary: ({ entity, aspect }) => `Patches ${aspect.name} of a ${entity.name}`,
      parameters: ['asyncWrite', 'systemMetadata', 'createIfNotExists', ...CONDITIONS, 'idempotencyKey'],
      body: (context) => ({
        types: PATCH_TYPES,
        media: { schema: context.schemas.common('Patch'), example: patchExample(context) },
      }),
      answers: (context) => ({
        200: oneAspect(context, version),
        202: queued(context),
      }),
      errors: WRITE_ERRORS,
      versionedOnly: true,
    },
    {
      method: 'delete',
      path,
      name: `delete${V}`,
      summary: ({ entity, aspect }) =>
        aspect.kind === 'timeseries'
          ? `Deletes the newest event of ${aspect.name} of a ${entity.name}`
          : `Deletes ${aspect.name} of a ${entity.name} with its history`,
      parameters: ['asyncWrite', 'ifMatch', 'ifVersionMatch', 'idempotencyKey'],
      answers: () => ({ 200: { description: 'Deleted.' }, 202: { description: 'Queued.' } }),
      errors: WRITE_ERRORS,
    },
  ];
}

/** Routes that every entity of the model has. */
export const ENTITY_ROUTES: Readonly<Record<'v2' | 'v3', readonly Route<EntityContext>[]>> = {
  v2: [...entityRoutes('v2'), ...V2_BATCHES],
  v3: [...entityRoutes('v3'), ...V3_BATCHES],
};

/** Routes that every aspect of every entity has. */
export const ASPECT_ROUTES: Readonly<Record<'v2' | 'v3', readonly Route<AspectContext>[]>> = {
  v2: aspectRoutes('v2'),
  v3: aspectRoutes('v3'),
};
