import {
  arrayOf,
  closed,
  flag,
  route,
  SCROLL_ID,
  shared,
  SYSTEM_METADATA,
  TAG,
  undocumented,
  whole,
  withNulls,
  type DocumentSchemas,
  type ExampleAspect,
  type HttpRoute,
  type RouteAnswer,
} from '../../../catalog/route/index.js';
import { anyEntity, itemsByKind } from '../request/any-kind.js';
import { PATCH_TYPES, queuedByKind, WRITE_ERRORS } from '../request/entity-route.js';
import {
  ASYNC_BATCH,
  BATCH_PATCH_PARAMETERS,
  IDEMPOTENCY_KEY,
  LIST_PARAMETERS,
  WRITE_PARAMETERS,
} from '../request/shared-parameters.js';

const GENERIC = '/openapi/v3/entity/generic';

const entitiesByKind = (schemas: DocumentSchemas, description: string): RouteAnswer => ({
  description,
  schema: { type: 'object', additionalProperties: arrayOf(anyEntity(schemas)) },
});

const written: HttpRoute['answers'] = (schemas) => ({
  200: entitiesByKind(schemas, 'What was written, with its current values.'),
  202: queuedByKind(schemas),
});

/** An item about what people know a tag by, below the name of the kind. */
const tagWith = (schemas: DocumentSchemas, item: (known: ExampleAspect) => object): object => {
  const known = schemas.example('tag');
  return { [known.kind]: [{ urn: known.urn, [known.aspect]: item(known) }] };
};

export const scrollEntities = route({
  method: 'post',
  path: '/openapi/v3/entity/scroll',
  needs: 'read',
  operation: 'scrollEntities',
  summary: 'Lists entities of several kinds by a filter, page by page',
  description: 'Like the lists of single kinds, with a filter in the body and sort keys with an order each.',
  parameters: {
    ...LIST_PARAMETERS,
    skipAggregation: shared('skipAggregation', flag('false adds facets.', true)),
    scrollIdPerEntity: undocumented(flag('Refused when true: a scroll id is given for each page only.')),
  },
  body: (schemas) => ({
    optional: true,
    schema: withNulls({
      entities: { ...arrayOf(schemas.entityName()), description: 'All common ones when left out.' },
      aspects: {
        ...arrayOf(schemas.aspectName('versioned')),
        description: 'Left out: only URNs. Empty: all aspects.',
      },
      filter: schemas.common('Filter'),
      sortCriteria: arrayOf(schemas.common('SortCriterion')),
    }),
    example: {
      entities: ['dataset'],
      aspects: [schemas.example('dataset').aspect],
      filter: {
        and: [{ criteria: [{ field: 'tags', condition: 'EQUAL', values: [TAG] }] }],
      },
      sortCriteria: [{ field: 'urn', order: 'ASCENDING' }],
    },
  }),
  answers: (schemas) => ({
    200: {
      description: 'One page.',
      headers: {
        'X-Feed-Cursor': {
          description:
            'On the first page: the cursor of the change feed from which a reader of all pages misses no change.',
          schema: { type: 'string' },
        },
      },
      schema: closed(
        {
          scrollId: SCROLL_ID,
          entities: arrayOf(anyEntity(schemas)),
          facets: schemas.common('Facets'),
          totalCount: whole(),
        },
        ['scrollId', 'entities', 'facets', 'totalCount'],
      ),
    },
  }),
  errors: [400, 413],
});

export const writeGeneric = route({
  method: 'post',
  path: GENERIC,
  operation: 'writeGeneric',
  summary: 'Writes aspects of entities of several kinds: all or none',
  description:
    'Items by their kind, with whole aspects, in one transaction: if one is refused, none is written. Runs asynchronously (202) unless `async=false`.',
  parameters: { async: ASYNC_BATCH, ...WRITE_PARAMETERS },
  headers: IDEMPOTENCY_KEY,
  body: (schemas) => ({
    schema: itemsByKind(schemas, 'write'),
    example: tagWith(schemas, ({ value }) => ({ value })),
  }),
  answers: written,
  errors: WRITE_ERRORS,
});

export const patchGeneric = route({
  method: 'patch',
  path: GENERIC,
  operation: 'patchGeneric',
  summary: 'Patches aspects of entities of several kinds: all or none',
  description:
    'Items by their kind, with a JSON patch for each aspect, in one transaction: if one is refused, none is applied. Runs asynchronously (202) unless `async=false`.',
  parameters: { async: ASYNC_BATCH, ...BATCH_PATCH_PARAMETERS },
  headers: IDEMPOTENCY_KEY,
  body: (schemas) => ({
    types: PATCH_TYPES,
    schema: itemsByKind(schemas, 'patch'),
    example: tagWith(schemas, ({ patch }) => ({ value: patch })),
  }),
  answers: written,
  errors: WRITE_ERRORS,
});

export const batchGetGeneric = route({
  method: 'post',
  path: `${GENERIC}/batchGet`,
  needs: 'read',
  operation: 'batchGetGeneric',
  summary: 'Reads entities of several kinds',
  description: 'URNs by their kind, each with the aspects to read. Entities that do not exist are left out.',
  parameters: { systemMetadata: SYSTEM_METADATA },
  body: (schemas) => ({
    schema: itemsByKind(schemas, 'wanted'),
    example: tagWith(schemas, () => ({})),
  }),
  answers: (schemas) => ({ 200: entitiesByKind(schemas, 'The entities that exist.') }),
  errors: [400, 413],
});

/** Routes over entities of several kinds. */
export const ACROSS_ROUTES = [scrollEntities, writeGeneric, patchGeneric, batchGetGeneric];
