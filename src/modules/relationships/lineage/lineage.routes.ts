import {
  action,
  DATASET,
  duration,
  entityNames,
  integer,
  text,
  time,
  urn,
  word,
  type ActionResource,
} from '../../../catalog/route/index.js';
import { SEARCH_PAGE, SEARCH_START } from '../../search/index.js';
import { LINEAGE_DIRECTIONS } from '../relationship.js';

/** `POST /relationships?action=…`. */
export const RELATIONSHIP_ACTIONS: ActionResource = {
  name: 'relationships',
  summary: 'Walks along lineage',
};

const from = {
  urn: urn('URN of the entity or the column to start from'),
  direction: word('where data comes from, or where it goes', LINEAGE_DIRECTIONS),
};

const across = {
  ...from,
  entities: entityNames('names of entities, all when absent'),
  input: text('text, or "*" for everything, the default'),
  maxHops: integer('the most steps, default as far as it goes', { minimum: 1 }),
  ...SEARCH_PAGE,
  startTimeMillis: time(
    'only by edges that were reported since; those of people, of columns, and without times count always',
  ),
  endTimeMillis: time('only by edges that were made by then, with the same exceptions'),
} as const;

const HITS =
  'entities: [{entity, matchedFields, paths: [[urn]], degree, degrees}], metadata: {urns, matches, searchResultMetadatas, aggregations}, isPartial: whether the walk ended before everything was found';

export const searchAcrossLineage = action({
  resource: 'entities',
  action: 'searchAcrossLineage',
  summary: 'Finds what lies up or down in lineage, the nearest first',
  parameters: { ...across, start: SEARCH_START },
  required: ['urn', 'direction'],
  answer: `{numEntities, pageSize, from, ${HITS}}`,
  example: { urn: DATASET, direction: 'UPSTREAM', start: 0, count: 10 },
});

export const scrollAcrossLineage = action({
  resource: 'entities',
  action: 'scrollAcrossLineage',
  summary: 'Walks over everything up or down in lineage page by page, the nearest first',
  parameters: {
    ...across,
    scrollId: text('from the page before'),
    keepAlive: duration('without effect: a scroll id does not expire'),
  },
  required: ['urn', 'direction'],
  answer: `{numEntities, pageSize, scrollId, ${HITS}}`,
  example: { urn: DATASET, direction: 'DOWNSTREAM', count: 10 },
});

export const getLineage = action({
  resource: 'relationships',
  action: 'getLineage',
  summary: 'Lists what lies up or down in lineage, whether or not it exists, the nearest first',
  parameters: {
    ...from,
    start: integer('how many to leave out, default 0'),
    count: integer('the most entries, default 100'),
    maxHops: integer('the most steps, default 1', { minimum: 1 }),
  },
  required: ['urn', 'direction'],
  answer:
    '{start, count, total, relationships: [{type, entity, degree, degrees, paths: [[urn]]}], isPartial: whether the walk ended before everything was found}',
  example: { urn: DATASET, direction: 'UPSTREAM', start: 0, count: 100 },
});

/** Walks along lineage of the aspect API, in the order in which they are shown. */
export const LINEAGE_ACTIONS = [searchAcrossLineage, scrollAcrossLineage, getLineage];
