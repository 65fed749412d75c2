import { integer, shared, SYSTEM_METADATA } from '../../../catalog/route/index.js';
import { withArticle } from '../../../catalog/with-article.js';
import {
  DELETED,
  entityRoute,
  NOT_MODIFIED,
  queued,
  READ_ERRORS,
  WRITE_ERRORS,
  type Subject,
} from '../request/entity-route.js';
import {
  ASYNC_WRITE,
  DELETE_HEADERS,
  PATCH_PARAMETERS,
  READ_HEADERS,
  WRITE_HEADERS,
  WRITE_PARAMETERS,
} from '../request/shared-parameters.js';

const ASPECT = { path: '{entity}/{urn}/{aspect}', versions: ['v2', 'v3'] } as const;

/** Events have no versions, so no client can hold the current one. */
const notModified = ({ kind }: Subject) => (kind === 'timeseries' ? {} : NOT_MODIFIED);

const written = (subject: Subject) => ({ 200: subject.aspect(false), 202: queued(subject) });

export const getEntityAspect = entityRoute({
  ...ASPECT,
  method: 'get',
  operation: 'getEntityAspect',
  summary: 'Reads one aspect, its latest or an earlier version',
  description:
    'Returns the latest value, or an earlier version by its number. The ETag is for conditional reads and writes.',
  each: {
    operation: 'get',
    summary: (entity, aspect) => `Reads ${aspect!.name} of ${withArticle(entity.name)}`,
  },
  parameters: {
    version: shared(
      'version',
      integer(
        'Which version: 0 is the latest, the first value ever written is 1. Of a time series, the latest time (epoch milliseconds).',
        { default: 0 },
      ),
    ),
    systemMetadata: SYSTEM_METADATA,
  },
  headers: READ_HEADERS,
  answers: (subject) => ({ 200: subject.aspect(true), ...notModified(subject) }),
  errors: READ_ERRORS,
});

export const aspectExists = entityRoute({
  ...ASPECT,
  method: 'head',
  operation: 'aspectExists',
  summary: 'Checks whether an entity has an aspect',
  description: 'Answers 204 or 404, without a body.',
  each: {
    operation: 'exists',
    summary: (entity, aspect) => `Checks whether ${withArticle(entity.name)} has ${aspect!.name}`,
  },
  parameters: {},
  headers: READ_HEADERS,
  answers: (subject) => ({ 204: { description: 'It has.', tagged: true }, ...notModified(subject) }),
  errors: READ_ERRORS,
});

export const writeAspect = entityRoute({
  ...ASPECT,
  method: 'post',
  operation: 'writeAspect',
  summary: 'Writes one aspect, replacing what it was',
  description:
    'Writes the aspect, and creates the entity if there is none. The aspect is replaced as a whole; an event of a time series is added. A value equal to the stored one changes nothing.',
  each: {
    operation: 'write',
    summary: (entity, aspect) =>
      `Writes ${aspect!.name} of ${withArticle(entity.name)}, replacing what it was`,
  },
  parameters: { async: ASYNC_WRITE, ...WRITE_PARAMETERS },
  headers: WRITE_HEADERS,
  body: (subject) => subject.written(),
  answers: written,
  errors: WRITE_ERRORS,
});

export const patchAspect = entityRoute({
  ...ASPECT,
  method: 'patch',
  operation: 'patchAspect',
  summary: 'Applies a JSON patch to one aspect',
  description:
    'Applies JSON patch operations (RFC 6902) to the stored value. Elements of keyed arrays are addressed by their key instead of their index. A missing aspect is created.',
  each: {
    operation: 'patch',
    summary: (entity, aspect) => `Patches ${aspect!.name} of ${withArticle(entity.name)}`,
  },
  parameters: { async: ASYNC_WRITE, ...PATCH_PARAMETERS },
  headers: WRITE_HEADERS,
  body: (subject) => subject.patch(),
  answers: written,
  errors: WRITE_ERRORS,
  versionedOnly: true,
});

export const deleteAspect = entityRoute({
  ...ASPECT,
  method: 'delete',
  operation: 'deleteAspect',
  summary: 'Deletes one aspect with its history; of a time series the newest event',
  description: 'The entity stays; deleting its key aspect deletes the entity.',
  each: {
    operation: 'delete',
    summary: (entity, aspect) =>
      aspect!.kind === 'timeseries'
        ? `Deletes the newest event of ${aspect!.name} of ${withArticle(entity.name)}`
        : `Deletes ${aspect!.name} of ${withArticle(entity.name)} with its history`,
    description: (aspect) =>
      aspect!.kind === 'timeseries'
        ? 'Deletes the newest event only; those before it stay.'
        : 'Deletes all versions of the aspect. The entity stays; deleting its key aspect deletes the entity.',
  },
  parameters: { async: ASYNC_WRITE },
  headers: DELETE_HEADERS,
  answers: () => DELETED,
  errors: WRITE_ERRORS,
});

/** Routes that every aspect of every kind of entities has. */
export const ASPECT_ROUTES = [getEntityAspect, aspectExists, writeAspect, patchAspect, deleteAspect];
