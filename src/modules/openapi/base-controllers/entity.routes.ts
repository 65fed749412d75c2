import { arrayOf, closed, flag, shared, SYSTEM_METADATA } from '../../../catalog/route/index.js';
import { withArticle } from '../../../catalog/with-article.js';
import {
  ASYNC_BATCH,
  ASYNC_WRITE,
  aspectParameters,
  BATCH_PATCH_PARAMETERS,
  DELETE_ENTITY_HEADERS,
  IDEMPOTENCY_KEY,
  LIST_PARAMETERS,
  READ_HEADERS,
  WRITE_PARAMETERS,
} from '../request/shared-parameters.js';
import {
  DELETED,
  entityRoute,
  NOT_MODIFIED,
  queuedList,
  READ_ERRORS,
  WRITE_ERRORS,
  type Subject,
} from '../request/entity-route.js';

const BOTH = ['v2', 'v3'] as const;
const ALL_OR_NONE = 'Runs asynchronously (202) unless `async=false`.';

const written = (subject: Subject) => ({
  200: subject.entities('What was written, with its current values.', 'WrittenAnswer'),
  202: queuedList(subject),
});

export const listEntities = entityRoute({
  method: 'get',
  path: '{entity}',
  versions: BOTH,
  operation: 'listEntities',
  summary: 'Lists the entities of one kind, page by page',
  description:
    'Filters by `query`, sorts, and answers a page with `scrollId` for the next one. Writes that were answered before are included.',
  each: {
    operation: 'list',
    summary: ({ name }) => `Lists entities of the kind ${name}, page by page`,
  },
  parameters: { ...LIST_PARAMETERS, ...aspectParameters('versioned') },
  answers: (subject) => ({ 200: subject.page() }),
  errors: [400],
});

export const writeEntities = entityRoute({
  method: 'post',
  path: '{entity}',
  versions: BOTH,
  operation: 'writeEntities',
  summary: 'Writes aspects of several entities of one kind: all or none',
  description: `All aspects of all items are written in one transaction: if one is refused, none is written. ${ALL_OR_NONE}`,
  each: {
    operation: 'writeAll',
    summary: ({ name }) => `Writes aspects of several ${name} entities: all or none`,
  },
  parameters: { async: ASYNC_BATCH, ...WRITE_PARAMETERS },
  headers: IDEMPOTENCY_KEY,
  body: (subject) => subject.items('write'),
  answers: written,
  errors: WRITE_ERRORS,
});

export const patchEntities = entityRoute({
  method: 'patch',
  path: '{entity}',
  versions: ['v3'],
  operation: 'patchEntities',
  summary: 'Patches aspects of several entities of one kind: all or none',
  description: `JSON patches of several aspects of several entities, in one transaction: if one is refused, none is applied. ${ALL_OR_NONE}`,
  each: {
    operation: 'patchAll',
    summary: ({ name }) => `Patches aspects of several ${name} entities: all or none`,
  },
  parameters: { async: ASYNC_BATCH, ...BATCH_PATCH_PARAMETERS },
  headers: IDEMPOTENCY_KEY,
  body: (subject) => subject.items('patch'),
  answers: written,
  errors: WRITE_ERRORS,
});

export const batchGetEntities = entityRoute({
  method: 'post',
  path: '{entity}/batchGet',
  needs: 'read',
  versions: ['v3'],
  operation: 'batchGetEntities',
  summary: 'Reads several entities of one kind',
  description:
    'Each item names a URN and the aspects to read; `If-Version-Match` in the headers of an aspect asks for an earlier version. Entities without any of them are left out.',
  each: { operation: 'batchGet', summary: ({ name }) => `Reads several ${name} entities` },
  parameters: { systemMetadata: SYSTEM_METADATA },
  body: (subject) => subject.items('wanted'),
  answers: (subject) => ({
    200: subject.entities('The entities that exist, in the order of the request.', 'EntitiesAnswer'),
  }),
  errors: [400, 413],
});

export const getEntity = entityRoute({
  method: 'get',
  path: '{entity}/{urn}',
  versions: BOTH,
  operation: 'getEntity',
  summary: 'Reads an entity',
  description:
    'Returns the URN and the latest value of each aspect, or of those in `aspects`. The ETag changes with any aspect.',
  each: { operation: 'get', summary: ({ name }) => `Reads one ${name}` },
  parameters: { systemMetadata: SYSTEM_METADATA, ...aspectParameters() },
  headers: READ_HEADERS,
  answers: (subject) => ({ 200: subject.entity(), ...NOT_MODIFIED }),
  errors: READ_ERRORS,
});

export const entityExists = entityRoute({
  method: 'head',
  path: '{entity}/{urn}',
  versions: BOTH,
  operation: 'entityExists',
  summary: 'Checks whether an entity exists',
  description: 'Answers 204 or 404, without a body.',
  each: { operation: 'exists', summary: ({ name }) => `Checks whether ${withArticle(name)} exists` },
  parameters: {
    includeSoftDelete: shared(
      'existsSoftDelete',
      flag('false: a soft-deleted entity counts as missing.', true),
    ),
  },
  headers: READ_HEADERS,
  answers: () => ({ 204: { description: 'It exists.', tagged: true }, ...NOT_MODIFIED }),
  errors: READ_ERRORS,
});

export const deleteEntity = entityRoute({
  method: 'delete',
  path: '{entity}/{urn}',
  versions: BOTH,
  operation: 'deleteEntity',
  summary: 'Permanently deletes an entity, or some of its aspects',
  description:
    'Deletes the entity with all aspects and their history. References to it are removed afterwards. With `aspects` only these are deleted, as far as there are any, with `clear` all but the key.',
  each: {
    operation: 'delete',
    summary: ({ name }) => `Permanently deletes ${withArticle(name)}, or some of its aspects`,
  },
  parameters: {
    clear: shared('clear', flag('Whether all aspects but the key are deleted, and the entity stays.', false)),
    async: ASYNC_WRITE,
    ...aspectParameters(),
  },
  headers: DELETE_ENTITY_HEADERS,
  answers: () => DELETED,
  errors: WRITE_ERRORS,
});

export const batchGetEntitiesV2 = entityRoute({
  method: 'post',
  path: 'batch/{entity}',
  needs: 'read',
  versions: ['v2'],
  operation: 'batchGetEntitiesV2',
  summary: 'Reads several entities',
  description: 'Returns the latest aspects of the entities; URNs without an entity are left out.',
  each: { operation: 'batchGet', summary: ({ name }) => `Reads several ${name} entities` },
  parameters: {},
  body: (subject) => subject.items('named'),
  answers: (subject) => ({
    200: {
      description: 'The entities that exist.',
      schema: closed({ entities: arrayOf(subject.schema()) }, ['entities']),
    },
  }),
  errors: [400, 413],
});

/** Routes that every kind of entities has, in the order in which they are shown. */
export const ENTITY_ROUTES = [
  listEntities,
  writeEntities,
  patchEntities,
  batchGetEntities,
  getEntity,
  entityExists,
  deleteEntity,
  batchGetEntitiesV2,
];
