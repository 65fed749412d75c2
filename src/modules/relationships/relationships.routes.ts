import type { JsonSchema } from '../../catalog/model/index.js';
import {
  arrayOf,
  closed,
  DATASET,
  documented,
  example,
  integer,
  names,
  PAGE_PARAMETERS,
  restliList,
  route,
  SCROLL_ID,
  undocumented,
  urn,
  USER,
  withNulls,
  word,
  type DocumentSchemas,
  type HttpRoute,
  type PathParameter,
} from '../../catalog/route/index.js';
import { edgeFilterSchema } from './edge-filter.js';
import { DIRECTIONS, LINEAGE_DIRECTIONS } from './relationship.js';

const WALK = '/openapi/v3/relationship';

/** Types of relationships, of all or of those that make lineage; walks take `*` for all of them. */
const types = (of: 'all' | 'lineage' = 'all', wildcard = true) =>
  documented(names('Only these types; may be repeated.'), (schemas) =>
    arrayOf(schemas.relationshipName(of, wildcard)),
  );

/** Kinds of entities at one end. */
const kinds = () =>
  documented(names('Only ends of these kinds.'), (schemas) => arrayOf(schemas.entityName()));

const said = (description: string): JsonSchema => ({ type: 'string', description });

const end = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('RelationshipEnd', () =>
    closed({ entityType: said('The kind of the entity.'), urn: schemas.anyUrn() }, ['entityType', 'urn']),
  );

const page = (
  description: string,
  name: string,
  edge: (schemas: DocumentSchemas) => JsonSchema,
  more: Record<string, JsonSchema> = {},
): HttpRoute['answers'] => {
  return (schemas) => ({
    200: {
      description,
      schema: closed(
        { scrollId: SCROLL_ID, ...more, results: arrayOf(schemas.component(name, () => edge(schemas))) },
        ['scrollId', ...Object.keys(more), 'results'],
      ),
    },
  });
};

const edges = page('One page of relationships.', 'RelationshipEdge', (schemas) =>
  closed(
    {
      relationshipType: said('The type of the relationship.'),
      source: end(schemas),
      destination: end(schemas),
    },
    ['relationshipType', 'source', 'destination'],
  ),
);

const ofThisEntity: Readonly<Record<string, PathParameter>> = {
  entity: {
    description: 'The kind of the entity.',
    schema: (schemas) => schemas.entityName(),
    example: 'dataset',
  },
  urn: {
    description: 'Its URN, percent-encoded.',
    schema: (schemas) => schemas.knownUrn(),
    example: DATASET,
  },
};

export const listRelationships = route({
  method: 'get',
  path: `${WALK}/{relationshipType}`,
  operation: 'listRelationships',
  summary: 'Lists all relationships of one type',
  description:
    'Answers every edge of the type with both ends, page by page. Edges of soft-deleted entities are left out unless asked for.',
  inPath: {
    relationshipType: {
      description: 'The type, `*` for all.',
      schema: (schemas) => schemas.relationshipName('all', true),
      example: 'OwnedBy',
    },
  },
  parameters: PAGE_PARAMETERS,
  answers: edges,
  errors: [400],
});

export const relationshipsOfEntity = route({
  method: 'get',
  path: `${WALK}/{entity}/{urn}`,
  operation: 'relationshipsOfEntity',
  summary: 'Lists the relationships of one entity',
  description: 'Returns the edges that start at the entity, or that lead to it.',
  inPath: ofThisEntity,
  parameters: {
    ...PAGE_PARAMETERS,
    direction: word('From the entity, or to it.', DIRECTIONS, 'OUTGOING'),
    relationshipType: types(),
    relationshipTypes: undocumented(types()),
    'relationshipType[]': undocumented(types()),
  },
  answers: edges,
  errors: [400],
});

export const scrollRelationships = route({
  method: 'post',
  path: `${WALK}/scroll`,
  needs: 'read',
  operation: 'scrollRelationships',
  summary: 'Lists relationships by their types and ends',
  description: 'Filters edges by type, kinds of ends, and criteria in the body.',
  parameters: {
    ...PAGE_PARAMETERS,
    // It says from which end a caller looks; the edges are the same.
    direction: undocumented(word('Taken for older clients.', DIRECTIONS)),
    relationshipTypes: types(),
    relationshipType: undocumented(types()),
    sourceTypes: kinds(),
    destinationTypes: kinds(),
  },
  body: (schemas) => ({
    optional: true,
    schema: edgeFilterSchema(schemas),
    example: { sourceFilter: { and: [{ criteria: [{ field: 'entityType', values: ['dataset'] }] }] } },
  }),
  answers: edges,
  errors: [400, 413],
});

export const scrollLineage = route({
  method: 'post',
  path: '/openapi/v3/lineage/scroll',
  needs: 'read',
  operation: 'scrollLineage',
  summary: 'Lists lineage upstream or downstream of some entities',
  description:
    'Answers direct lineage edges, upstream or downstream of the URNs in the body, or both. `source` and `destination` are the ends of the relationship, `upstream` and `downstream` the URNs of the same two as lineage has them.',
  parameters: {
    ...PAGE_PARAMETERS,
    direction: word('Which way; both when left out.', LINEAGE_DIRECTIONS),
    relationshipTypes: types('lineage'),
    relationshipType: undocumented(types('lineage')),
  },
  body: (schemas) => ({
    optional: true,
    schema: withNulls({
      urns: {
        ...arrayOf(schemas.knownUrn()),
        type: ['array', 'null'],
        description: 'Of all entities when left out.',
      },
    }),
    example: { urns: [DATASET] },
  }),
  answers: page(
    'One page of lineage.',
    'LineageEdge',
    (schemas) =>
      closed(
        {
          upstream: schemas.anyUrn(),
          downstream: schemas.anyUrn(),
          relationshipType: said('Its type.'),
          source: end(schemas),
          destination: end(schemas),
        },
        ['upstream', 'downstream', 'relationshipType', 'source', 'destination'],
      ),
    {
      isPartial: {
        type: 'boolean',
        description: 'Whether policies hide edges of this page from the caller.',
      },
    },
  ),
  errors: [400, 413],
});

/** Lists of relationships have an older path too. */
const olderPath = <R extends HttpRoute>(declared: R): R => ({
  ...declared,
  path: declared.path.replace('/v3/', '/v2/'),
  operation: `${declared.operation}V2`,
});
export const listRelationshipsV2 = olderPath(listRelationships);
export const relationshipsOfEntityV2 = olderPath(relationshipsOfEntity);
export const scrollRelationshipsV2 = olderPath(scrollRelationships);

const direction = (value: string) => example(value, word('To it, or from it.', DIRECTIONS));

export const listNeighboursV1 = route({
  method: 'get',
  path: '/openapi/relationships/v1',
  operation: 'listNeighboursV1',
  summary: 'Lists the neighbours of an entity, each with its relationship',
  description: 'Use `/openapi/v3/relationship/{entity}/{urn}` instead, which answers pages of any length.',
  deprecated: true,
  parameters: {
    urn: example(DATASET, urn('The entity.')),
    direction: direction('OUTGOING'),
    relationshipTypes: documented(restliList('Only these types; may be repeated.'), (schemas) =>
      arrayOf(schemas.relationshipName('all', false)),
    ),
    start: integer('How many to leave out.', { default: 0 }),
    count: integer('The most entries.', { default: 200 }),
  },
  required: ['urn', 'direction'],
  answer: '{start, count, total, entities: [{urn, relationshipType}]}',
  answers: () => ({ 200: { description: 'The neighbours.', schema: { type: 'object' } } }),
  errors: [400],
});

export const getRelationships = route({
  method: 'get',
  path: '/relationships',
  operation: 'getRelationships',
  summary: 'Lists the neighbours of an entity',
  description:
    'Returns the entities at the other end of the edges of an entity; of a column, the columns next to it in lineage first.',
  surface: 'aspect-api',
  parameters: {
    urn: example(USER, urn('The entity.')),
    direction: direction('INCOMING'),
    types: example(
      'OwnedBy',
      documented(restliList('Only these relationships: a name, or `List(<name>,…)`.'), (schemas) =>
        nameOrList(schemas.relationshipNames()),
      ),
    ),
    start: integer('How many to leave out.', { default: 0 }),
    count: integer('The most entries.', { default: 100 }),
  },
  required: ['urn', 'direction'],
  answer: '{start, count, total, entities: [urn], relationships: [{type, entity}]}',
  answers: () => ({
    200: {
      description: 'The neighbours.',
      schema: {
        type: 'object',
        required: ['start', 'count', 'total', 'entities', 'relationships'],
        properties: {
          start: { type: 'integer' },
          count: { type: 'integer' },
          total: { type: 'integer' },
          entities: arrayOf({ type: 'string' }),
          relationships: arrayOf({ type: 'object' }),
        },
      },
    },
  }),
  errors: [400],
});

/** One of the names, or several of them as a Rest.li list. */
function nameOrList(known: readonly string[]): JsonSchema {
  const name = `(?:${known.join('|')})`;
  return { type: 'string', pattern: `^(?:${name}|List\\(${name}(?:,${name})*\\))$` };
}

/** How entities hang together, on the OpenAPI surface. */
export const RELATIONSHIP_ROUTES: readonly HttpRoute[] = [
  listRelationships,
  relationshipsOfEntity,
  scrollRelationships,
  scrollLineage,
  listRelationshipsV2,
  relationshipsOfEntityV2,
  scrollRelationshipsV2,
  listNeighboursV1,
];
