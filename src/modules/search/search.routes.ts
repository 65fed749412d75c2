import {
  action,
  DATASET,
  documented,
  duration,
  entityName,
  entityNames,
  flag,
  integer,
  listOf,
  parsed,
  SLICE_ID,
  SLICE_MAX,
  text,
  urn,
  type DocumentSchemas,
} from '../../catalog/route/index.js';
import {
  DEFAULT_COUNT,
  filterParameter,
  MAX_WINDOW,
  SORT_MISSING_VALUE,
} from '../../catalog/search/index.js';

const RESULT =
  '{numEntities, pageSize, from, entities: [urn], metadata: {urns, matches, searchResultMetadatas, aggregations}}';

/** A search reaches a window of hits; what begins beyond it is told to scroll. */
export const SEARCH_START = documented(integer('number of hits to skip, default 0'), () => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_WINDOW - 1,
}));

const sortKey = (schemas: DocumentSchemas) =>
  schemas.component('AspectApiSortKey', () => ({
    type: 'object',
    required: ['field'],
    additionalProperties: false,
    properties: {
      field: { type: 'string', minLength: 1 },
      order: { type: ['string', 'null'], enum: ['ASCENDING', 'DESCENDING', null] },
      missingValue: SORT_MISSING_VALUE,
    },
  }));

/** Switches of a search; names and defaults are those of the clients. */
const searchFlags = {
  type: 'object',
  title: 'AspectApiSearchFlags',
  description: 'switches of the search; those of clients that change nothing here are taken too',
  additionalProperties: false,
  properties: {
    maxAggValues: integer('most values of each facet', { minimum: 1, maximum: MAX_WINDOW }),
    skipHighlighting: flag('whether to leave out which fields matched'),
    skipAggregates: flag('whether to leave out facets'),
    includeSoftDeleted: flag('whether soft-deleted entities are found too'),
    includeStructuredPropertyFacets: flag(
      'whether the structured properties that are offered as filters are facets too',
    ),
    customHighlightingFields: listOf('the only fields that are named as those that matched', {
      type: 'string',
    }),
    filterNonLatestVersions: flag(
      'whether to leave out what a version set has a later version of, also where the filter asks for it; default true, of autocomplete and of the older browse tree false',
    ),
    includeDefaultFacets: flag('whether the fields that the model marks are facets, default true'),
    fetchExtraFields: listOf('fields of the index to answer with each hit', { type: 'string' }),
    groupingSpec: {
      title: 'AspectApiGroupingSpec',
      type: 'object',
      description:
        '{groupingCriteria: [{baseEntityType, groupingEntityType}]}, both schemaField: lineage answers columns in place of their datasets; other searches take it without effect',
      additionalProperties: false,
      properties: {
        groupingCriteria: listOf('what stands for what', {
          type: 'object',
          additionalProperties: false,
          properties: {
            baseEntityType: text('name of an entity'),
            groupingEntityType: text('name of an entity'),
          },
        }),
      },
    },
    skipCache: flag('without effect: answers are never older than what was written'),
    fulltext: flag('without effect: every search is one of full text'),
    getSuggestions: flag('without effect: there are no suggestions'),
    includeRestricted: flag('without effect: what policies hide is not found'),
    rewriteQuery: flag('without effect: filters are not rewritten'),
    fieldConfiguration: text('without effect: there is one configuration of fields'),
    includeHiddenLifecycleStages: flag('without effect: nothing is hidden by the stage of its life'),
    includeDraft: flag('without effect: drafts are not hidden'),
  },
} as const;

const scope = { filter: filterParameter, searchFlags };
/** The parameters of all searches besides what they are about, and where a page begins. */
export const SEARCH_PAGE = {
  ...scope,
  sort: parsed('the older form of sortCriteria, one of them', (schemas) => ({
    anyOf: [sortKey(schemas), { type: 'null' }],
  })),
  sortCriteria: parsed(
    '[{field, order: ASCENDING or DESCENDING}]; the best match first when absent',
    (schemas) => ({ type: ['array', 'null'], items: sortKey(schemas) }),
  ),
  count: integer(`hits to answer, default ${DEFAULT_COUNT}, at most ${MAX_WINDOW}`),
  fulltext: flag('without effect: every search is one of full text'),
};
const entity = entityName('name of the entity');
const entities = entityNames('names of entities, all common ones when absent');
const input = text('text, "*" for everything, or <field>:<value> for an exact value');

export const search = action({
  resource: 'entities',
  action: 'search',
  summary: 'Finds entities of one type',
  parameters: { entity, input, start: SEARCH_START, ...SEARCH_PAGE },
  required: ['entity', 'input'],
  answer: RESULT,
  example: { entity: 'dataset', input: 'orders', start: 0, count: 10 },
});

export const searchAcrossEntities = action({
  resource: 'entities',
  action: 'searchAcrossEntities',
  summary: 'Finds entities of several types',
  parameters: { entities, input, start: SEARCH_START, ...SEARCH_PAGE },
  required: ['input'],
  answer: RESULT,
  example: { entities: ['dataset', 'chart'], input: 'orders', start: 0, count: 10 },
});

export const scrollAcrossEntities = action({
  resource: 'entities',
  action: 'scrollAcrossEntities',
  summary: 'Walks over all hits page by page, each once, in the order of URNs or of a field',
  parameters: {
    entities,
    input,
    scrollId: text('from the page before'),
    keepAlive: duration('without effect: a scroll id does not expire'),
    ...SEARCH_PAGE,
    searchFlags: {
      ...searchFlags,
      title: 'AspectApiScrollSearchFlags',
      properties: {
        ...searchFlags.properties,
        sliceOptions: {
          title: 'AspectApiSliceOptions',
          type: 'object',
          description: 'one part of the walk, so that several readers share it',
          additionalProperties: false,
          properties: {
            id: integer('which of the parts, from 0', SLICE_ID),
            max: integer('how many parts there are', SLICE_MAX),
          },
        },
      },
    },
  },
  required: ['input'],
  answer: '{entities, metadata, scrollId, pageSize, numEntities}',
  example: { entities: ['dataset'], input: '*', count: 10 },
});

export const filter = action({
  resource: 'entities',
  action: 'filter',
  summary: 'Finds entities of one type by a filter alone',
  parameters: { entity, start: SEARCH_START, ...SEARCH_PAGE },
  required: ['entity'],
  answer: RESULT,
  example: {
    entity: 'dataset',
    filter: { or: [{ and: [{ field: 'origin', condition: 'EQUAL', values: ['PROD'] }] }] },
    start: 0,
    count: 10,
  },
});

export const list = action({
  resource: 'entities',
  action: 'list',
  summary: 'Lists the URNs of entities of one type',
  parameters: { entity, start: SEARCH_START, ...SEARCH_PAGE },
  required: ['entity'],
  answer: '{entities: [urn], start, count, total}',
  example: { entity: 'dataset', start: 0, count: 10 },
});

export const autocomplete = action({
  resource: 'entities',
  action: 'autocomplete',
  summary: 'Completes the name of an entity',
  parameters: {
    entity,
    query: text('what was typed'),
    field: text('complete this field only'),
    limit: integer('default 10, at most 100'),
    start: integer('number of suggestions to skip, default 0'),
    ...scope,
  },
  required: ['entity', 'query'],
  answer: '{query, suggestions: [string], entities: [{urn}]}',
  example: { entity: 'dataset', query: 'ord', limit: 10 },
});

export const browse = action({
  resource: 'entities',
  action: 'browse',
  summary: 'Shows one level of the tree of browse paths',
  parameters: {
    entity,
    path: text('slash-delimited; one that begins with ␟ and is delimited by it goes by browsePathsV2'),
    start: SEARCH_START,
    limit: integer('default 10'),
    ...scope,
  },
  required: ['entity'],
  answer:
    '{entities: [{name, urn}], groups: [{name, count}], metadata: {path, totalNumEntities, groups}, from, pageSize, numEntities, numGroups, numElements}',
  example: { entity: 'dataset', path: '/prod/snowflake', start: 0, limit: 10 },
});

export const getBrowsePaths = action({
  resource: 'entities',
  action: 'getBrowsePaths',
  summary: 'Returns the paths of an entity in the browse tree',
  parameters: { urn: urn('URN of the entity') },
  required: ['urn'],
  answer: '[path]',
  example: { urn: DATASET },
});

/** Searches of the aspect API, in the order in which they are shown. */
export const SEARCH_ROUTES = [
  search,
  searchAcrossEntities,
  scrollAcrossEntities,
  filter,
  list,
  autocomplete,
  browse,
  getBrowsePaths,
];
