import {
  arrayOf,
  closed,
  documented,
  example,
  flag,
  restliList,
  route,
  TAG,
  undocumented,
  type DocumentSchemas,
  type HttpRoute,
} from '../../../catalog/route/index.js';
import { proposalExample, proposalSchema } from '../../ingest/index.js';
import { CLEARING_HEADERS, QUEUED_HEADERS } from '../request/entity-route.js';
import { ASYNC_WRITE, IDEMPOTENCY_KEY, WRITE_PARAMETERS } from '../request/shared-parameters.js';

const ENTITIES = '/openapi/entities/v1';

const urns = example(
  [TAG],
  documented(restliList('URNs; may be repeated.'), (schemas) => ({
    ...arrayOf(schemas.knownUrn()),
    minItems: 1,
  })),
);

/** What people know a tag by, as an item of a write. */
const writeItem = (schemas: DocumentSchemas) => {
  const { kind, urn, record, value } = schemas.example('tag');
  const __type = record.slice(record.lastIndexOf('.') + 1);
  return { entityType: kind, entityUrn: urn, aspect: { __type, ...(value as object) } };
};

/** Taken by all writes of this version, and of no effect on what is answered. */
const systemMetadata = undocumented({ ...WRITE_PARAMETERS.systemMetadata });

/** Taken by what knows only one way to write. */
const withoutCreation = {
  systemMetadata,
  createIfNotExists: undocumented({ ...WRITE_PARAMETERS.createIfNotExists }),
  createIfEntityNotExists: undocumented({ ...WRITE_PARAMETERS.createIfEntityNotExists }),
  createEntityIfNotExists: WRITE_PARAMETERS.createEntityIfNotExists,
};

export const getEntitiesV1 = route({
  method: 'get',
  path: `${ENTITIES}/latest`,
  operation: 'getEntitiesV1',
  summary: 'Reads entities of one kind with their aspects',
  description: 'Use the reads of version 3 instead.',
  deprecated: true,
  parameters: {
    urns,
    aspectNames: documented(restliList('Only these aspects.'), (schemas) => arrayOf(schemas.aspectName())),
  },
  required: ['urns'],
  answers: () => ({
    200: {
      description: 'The entities that exist, by URN.',
      schema: closed({ responses: { type: 'object', additionalProperties: { type: 'object' } } }, [
        'responses',
      ]),
    },
  }),
  errors: [400, 413, 431],
});

export const writeEntitiesV1 = route({
  method: 'post',
  path: ENTITIES,
  operation: 'writeEntitiesV1',
  summary: 'Writes aspects that name their record in `__type`',
  description: 'Use the writes of version 3 instead.',
  deprecated: true,
  parameters: { async: ASYNC_WRITE, ...WRITE_PARAMETERS, systemMetadata },
  headers: IDEMPOTENCY_KEY,
  body: (schemas) => ({
    schema: arrayOf(
      schemas.component('EntityWriteV1', () => ({
        ...closed(
          {
            entityType: schemas.entityName(),
            entityUrn: { ...schemas.knownUrn(), description: 'Or `entityKeyAspect`.' },
            entityKeyAspect: {
              type: 'object',
              description:
                'The key of the entity, which its URN is made of: its fields beside the name of its record in `__type`, or `{"value": "<JSON text>"}`.',
            },
            aspect: {
              type: 'object',
              required: ['__type'],
              additionalProperties: true,
              description: 'The aspect, beside the name of its record.',
              properties: { __type: { type: 'string', enum: schemas.recordNames() } },
            },
          },
          ['entityType', 'aspect'],
        ),
        description: 'One aspect of the entity that `entityUrn` or `entityKeyAspect` names.',
      })),
    ),
    example: [writeItem(schemas)],
  }),
  answers: () => ({
    200: { description: 'Everything stood there already.', schema: arrayOf({ type: 'string' }) },
    201: { description: 'The URNs written.', schema: arrayOf({ type: 'string' }) },
    202: { description: 'Queued.', headers: QUEUED_HEADERS, schema: arrayOf({ type: 'string' }) },
  }),
  errors: [400, 404, 409, 412, 413, 422],
});

export const deleteEntitiesV1 = route({
  method: 'delete',
  path: ENTITIES,
  operation: 'deleteEntitiesV1',
  summary: 'Deletes entities, softly unless asked otherwise',
  description: 'Use the deletions of version 3 instead.',
  deprecated: true,
  parameters: {
    urns,
    soft: flag('false deletes permanently.', true),
    async: undocumented(flag('Refused when true: deletions are carried out at once.')),
    ...withoutCreation,
  },
  required: ['urns'],
  headers: IDEMPOTENCY_KEY,
  answers: () => ({
    200: { description: 'What was deleted.', headers: CLEARING_HEADERS, schema: arrayOf({ type: 'object' }) },
  }),
  errors: [400, 404, 409, 413, 422, 431],
});

export const propose = route({
  method: 'post',
  path: '/openapi/v2/platform/entities/v1',
  operation: 'propose',
  summary: 'Carries out change proposals as the aspect API takes them: all or none',
  description:
    'Each proposal names an entity, an aspect and a change type. All are written in one transaction: if one is refused, none is. ' +
    '`aspect.value` may be an object that names its record in `__type`.',
  parameters: { async: ASYNC_WRITE, ...withoutCreation },
  headers: IDEMPOTENCY_KEY,
  body: (schemas) => ({
    schema: arrayOf(proposalSchema(schemas)),
    example: [proposalExample(schemas, 'tag')],
  }),
  answers: () => ({
    200: { description: 'The URNs.', headers: CLEARING_HEADERS, schema: arrayOf({ type: 'string' }) },
    202: { description: 'Queued.', headers: QUEUED_HEADERS, schema: arrayOf({ type: 'string' }) },
  }),
  errors: [400, 404, 409, 412, 413, 422],
});

export const proposeV1 = { ...propose, path: '/openapi/platform/entities/v1', operation: 'proposeV1' };

/** The oldest version of the surface. */
export const VERSION_1_ROUTES: readonly HttpRoute[] = [
  getEntitiesV1,
  writeEntitiesV1,
  deleteEntitiesV1,
  propose,
  proposeV1,
];
