import {
  arrayOf,
  documented,
  flag,
  ignored,
  restliList,
  route,
  undocumented,
} from '../../../catalog/route/index.js';

const skipCache = undocumented(flag('Taken for older clients: what is answered is counted now.'));

export const countEntities = route({
  method: 'get',
  path: '/openapi/v1/entities/counts',
  operation: 'countEntities',
  summary: 'Counts the entities of several types',
  description: 'Counts the entities of each type that are not soft-deleted.',
  parameters: {
    types: documented(restliList('Only these types; may be repeated.'), (schemas) =>
      arrayOf(schemas.entityName()),
    ),
    includeTotal: flag('Whether to add sums.', false),
    skipCache,
    groupBy: undocumented(ignored('Refused: counts can only be had by type.')),
  },
  answer:
    '{counts: [{entityType, keyAspect, activeCount, softDeletedCount}], requestedTypes, computedAtMillis}',
  answers: () => ({
    200: {
      description: 'The counts.',
      schema: {
        type: 'object',
        required: ['counts'],
        properties: { counts: arrayOf({ type: 'object' }) },
      },
    },
  }),
  errors: [400],
});

export const countEntitiesOfType = route({
  method: 'get',
  path: '/openapi/v1/entities/{entityType}/count',
  operation: 'countEntitiesOfType',
  summary: 'Counts the entities of one type',
  description: 'Counts the entities of the type that are not soft-deleted.',
  inPath: {
    entityType: {
      description: 'The type.',
      schema: (schemas) => schemas.entityName(),
      example: 'dataset',
    },
  },
  parameters: { includeTotal: flag('Whether to add the sum.', false), skipCache },
  answer: '{entityType, keyAspect, activeCount, softDeletedCount, computedAtMillis}',
  answers: () => ({ 200: { description: 'The counts.', schema: { type: 'object' } } }),
  errors: [400],
});

/** How many entities there are. */
export const ENTITY_COUNT_ROUTES = [countEntities, countEntitiesOfType];
