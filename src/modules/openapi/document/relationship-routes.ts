import { SCALAR } from '../../../catalog/search/index.js';
import { CATEGORIES } from '../../timeline/index.js';
import type { Parameter, Schema } from './openapi-types.js';
import type { Answer, Route, RouteContext } from './routes.js';
import {
  closed,
  withNulls,
  entityName,
  listOf,
  PAGE,
  path,
  query,
  scrollId,
  text,
  urn,
  whole,
} from './route-words.js';

const relationshipTypes = (name: string, type: Schema): Parameter =>
  query(name, 'Only these types; may be repeated.', listOf(type));

/** Walks over relationships take `*` for all of them. */
const anyRelationship = ({ schemas }: RouteContext): Schema => schemas.relationshipName('all', true);

const edges = (context: RouteContext): Record<number, Answer> => ({
  200: {
    description: 'One page of relationships.',
    schema: closed(
      {
        scrollId,
        results: listOf(
          context.schemas.component('RelationshipEdge', () =>
            closed(
              {
                relationshipType: text('The type of the relationship.'),
                source: end(context),
                destination: end(context),
              },
              ['relationshipType', 'source', 'destination'],
            ),
          ),
        ),
      },
      ['scrollId', 'results'],
    ),
  },
});

const end = (context: RouteContext): Schema =>
  context.schemas.component('RelationshipEnd', () =>
    closed({ entityType: text('The kind of the entity.'), urn: context.schemas.anyUrn() }, [
      'entityType',
      'urn',
    ]),
  );

/** Walks over relationships and lineage. */
const WALKS: ReadonlyArray<Route<RouteContext>> = [
  {
    method: 'get',
    path: '/openapi/v3/relationship/{relationshipType}',
    name: 'listRelationships',
    summary: () => 'Lists all relationships of one type',
    description:
      'Answers every edge of the type with both ends, page by page. Edges of soft-deleted entities are left out unless asked for.',
    parameters: PAGE,
    more: (context) => [
      path('relationshipType', 'The type, `*` for all.', anyRelationship(context), 'OwnedBy'),
    ],
    answers: edges,
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v3/relationship/{entity}/{urn}',
    name: 'relationshipsOfEntity',
    summary: () => 'Lists the relationships of one entity',
    description: 'Answers the edges that start at the entity, or that lead to it.',
    parameters: PAGE,
    more: (context) => [
      path('entity', 'The kind of the entity.', entityName(context), 'dataset'),
      path(
        'urn',
        'Its URN, percent-encoded.',
        urn(context),
        'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)',
      ),
      query('direction', 'From the entity, or to it.', {
        type: 'string',
        enum: ['OUTGOING', 'INCOMING'],
        default: 'OUTGOING',
      }),
      relationshipTypes('relationshipType', anyRelationship(context)),
    ],
    answers: edges,
    errors: [400],
  },
  {
    method: 'post',
    path: '/openapi/v3/relationship/scroll',
    name: 'scrollRelationships',
    summary: () => 'Lists relationships by their types and ends',
    description: 'Filters edges by type, kinds of ends, and criteria in the body.',
    parameters: PAGE,
    more: (context) => [
      relationshipTypes('relationshipTypes', anyRelationship(context)),
      ...['sourceTypes', 'destinationTypes'].map((name) =>
        query(name, 'Only ends of these kinds.', listOf(entityName(context))),
      ),
    ],
    body: ({ schemas }) => ({
      optional: true,
      media: {
        schema: withNulls({
          sourceFilter: edgeFilter(['urn', 'entityType']),
          destinationFilter: edgeFilter(['urn', 'entityType']),
          edgeFilter: edgeFilter(['relationshipType'], schemas.relationshipName('all', false)),
        }),
        example: { sourceFilter: { and: [{ criteria: [{ field: 'entityType', values: ['dataset'] }] }] } },
      },
    }),
    answers: edges,
    errors: [400, 413],
  },
  {
    method: 'post',
    path: '/openapi/v3/lineage/scroll',
    name: 'scrollLineage',
    summary: () => 'Lists lineage upstream or downstream of some entities',
    description: 'Answers direct lineage edges, upstream or downstream of the URNs in the body.',
    parameters: PAGE,
    more: ({ schemas }) => [
      query('direction', 'Which way.', {
        type: 'string',
        enum: ['UPSTREAM', 'DOWNSTREAM'],
        default: 'UPSTREAM',
      }),
      relationshipTypes('relationshipTypes', schemas.relationshipName('lineage', true)),
    ],
    body: (context) => ({
      optional: true,
      media: {
        schema: withNulls({
          urns: {
            ...listOf(urn(context)),
            type: ['array', 'null'],
            description: 'Of all entities when left out.',
          },
        }),
        example: { urns: ['urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)'] },
      },
    }),
    answers: (context) => ({
      200: {
        description: 'One page of lineage.',
        schema: closed(
          {
            scrollId,
            results: listOf(
              context.schemas.component('LineageEdge', () =>
                closed(
                  { upstream: end(context), downstream: end(context), relationshipType: text('Its type.') },
                  ['upstream', 'downstream', 'relationshipType'],
                ),
              ),
            ),
          },
          ['scrollId', 'results'],
        ),
      },
    }),
    errors: [400, 413],
  },
];

/** Walks over relationships have an older address too. */
export const RELATIONSHIPS: ReadonlyArray<Route<RouteContext>> = [
  ...WALKS,
  ...WALKS.filter(({ path: at }) => at.startsWith('/openapi/v3/relationship/')).map(
    (route): Route<RouteContext> => ({
      ...route,
      path: route.path.replace('/v3/', '/v2/'),
      name: `${route.name}V2`,
    }),
  ),
  {
    method: 'get',
    path: '/openapi/relationships/v1',
    name: 'listNeighboursV1',
    summary: () => 'Lists the neighbours of an entity, each with its relationship',
    description: 'Use `/openapi/v3/relationship/{entity}/{urn}` instead, which answers pages of any length.',
    deprecated: true,
    more: (context) => [
      { ...query('urn', 'The entity.', urn(context)), required: true },
      query(
        'direction',
        'To it, or from it.',
        { type: 'string', enum: ['INCOMING', 'OUTGOING'] },
        { required: true, example: 'OUTGOING' },
      ),
      relationshipTypes('relationshipTypes', context.schemas.relationshipName('all', false)),
      query('start', 'How many to leave out.', whole({ default: 0 })),
      query('count', 'The most entries.', whole({ default: 200 })),
    ],
    answers: () => ({ 200: { description: 'The neighbours.', schema: { type: 'object' } } }),
    errors: [400],
  },
  {
    method: 'get',
    path: '/openapi/v2/timeline/v1/{urn}',
    name: 'getTimeline',
    summary: () => 'Tells what happened to an entity, in the order of time',
    description:
      'Compares the versions of the aspects of the categories, and answers the changes with a semantic version each.',
    more: (context) => [
      path('urn', 'The URN, percent-encoded.', urn(context)),
      {
        ...query('categories', 'Which changes: one or several, separated by commas.', {
          type: 'string',
          pattern: `^(?:${CATEGORIES.join('|')})(?:,(?:${CATEGORIES.join('|')}))*$`,
        }),
        required: true,
        example: 'TAG,OWNERSHIP',
      },
    ],
    answers: () => ({
      200: { description: 'The changes.', schema: { type: 'array', items: { type: 'object' } } },
    }),
    errors: [400, 404],
  },
];

function edgeFilter(fields: string[], value: Schema = SCALAR): Schema {
  const criterion = closed(
    {
      field: { type: 'string', enum: fields },
      condition: { type: ['string', 'null'], enum: ['EQUAL', null] },
      values: listOf(value),
    },
    ['field', 'values'],
  );
  return closed({ and: listOf(closed({ criteria: listOf(criterion) }, ['criteria'])) }, ['and']);
}
