import { capital } from './model-schemas.js';
import { CONDITIONS } from './parameters.js';
import {
  NOT_MODIFIED,
  PATCH_TYPES,
  READ_ERRORS,
  WRITE_ERRORS,
  type Answer,
  type AspectContext,
  type Route,
  type RouteContext,
} from './routes.js';

/** The answer to a write that is carried out later. */
function queued({ schemas }: RouteContext): Answer {
  return {
    description: 'Queued; the trace id of `traceparent` tells what becomes of it.',
    shared: 'QueuedAnswer',
    schema: schemas.common('QueuedWrite'),
  };
}

function oneAspect({ entity, aspect, schemas, examples }: AspectContext, version: 'v2' | 'v3'): Answer {
  const member = aspect.secret ? {} : { [aspect.name]: schemas.read(aspect) };
  const value = aspect.secret ? {} : { [aspect.name]: { value: examples.value(entity, aspect) } };
  const urn = examples.urn(entity);
  const inner = { type: 'object', additionalProperties: false, properties: member };
  const name = `${capital(entity.name)}${version === 'v2' ? 'V2' : ''}With${capital(aspect.name)}`;
  return {
    description: `The ${aspect.name} as it stands now.`,
    shared: `${name}Answer`,
    tagged: true,
    schema: schemas.component(name, () => ({
      type: 'object',
      required: version === 'v3' ? ['urn'] : ['urn', 'aspects'],
      additionalProperties: false,
      properties: { urn: schemas.urn(entity), ...(version === 'v3' ? member : { aspects: inner }) },
    })),
    example: version === 'v3' ? { urn, ...value } : { urn, aspects: value },
  };
}

/** A patch that adds the first member of the aspect's example. */
export function patchExample({ entity, aspect, examples }: AspectContext): unknown {
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

/** Aspects that their entities cannot be without, so that a deletion is always refused. */
export const NEVER_DELETED: ReadonlySet<string> = new Set(['propertyDefinition']);

function aspectRoutes(version: 'v2' | 'v3'): Route<AspectContext>[] {
  const path = `/openapi/${version}/entity/{entity}/{urn}/{aspect}`;
  const V = version.toUpperCase();
  return [
    {
      method: 'get',
      path,
      name: `get${V}`,
      summary: ({ entity, aspect }) => `Reads ${aspect.name} of a ${entity.name}`,
      description:
        'Answers the latest value, or an earlier version by its number. The ETag is for conditional reads and writes.',
      parameters: ['version', 'systemMetadata', 'ifNoneMatchRead'],
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
        ...(context.aspect.kind === 'versioned' && NOT_MODIFIED),
      }),
      errors: READ_ERRORS,
    },
    {
      method: 'head',
      path,
      name: `exists${V}`,
      summary: ({ entity, aspect }) => `Tells whether a ${entity.name} has ${aspect.name}`,
      description: 'Answers 204 or 404, without a body.',
      parameters: ['ifNoneMatchRead'],
      answers: ({ aspect }) => ({
        204: { description: 'It has.', tagged: true },
        ...(aspect.kind === 'versioned' && NOT_MODIFIED),
      }),
      errors: READ_ERRORS,
    },
    {
      method: 'post',
      path,
      name: `write${V}`,
      summary: ({ entity, aspect }) => `Writes ${aspect.name} of a ${entity.name}, replacing what it was`,
      description:
        'Writes the aspect, and creates the entity if there is none. The aspect is replaced as a whole; an event of a time series is added. A value equal to the stored one changes nothing.',
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
      description:
        'Applies JSON patch operations (RFC 6902) to the stored value. Elements of keyed arrays are addressed by their key instead of their index. A missing aspect is created.',
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
      description: ({ aspect }) =>
        aspect.kind === 'timeseries'
          ? 'Deletes the newest event only; those before it stay.'
          : 'Deletes all versions of the aspect. The entity stays; deleting its key aspect deletes the entity.',
      parameters: ['asyncWrite', 'ifMatch', 'ifVersionMatch', 'idempotencyKey'],
      answers: () => ({ 200: { description: 'Deleted.' }, 202: { description: 'Queued.' } }),
      errors: WRITE_ERRORS,
    },
  ];
}

/** Routes that every aspect of every entity has. */
export const ASPECT_ROUTES: Readonly<Record<'v2' | 'v3', readonly Route<AspectContext>[]>> = {
  v2: aspectRoutes('v2'),
  v3: aspectRoutes('v3'),
};
