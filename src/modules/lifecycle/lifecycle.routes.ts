import {
  action,
  DATASET,
  documented,
  entityName,
  entityNames,
  flag,
  integer,
  listOf,
  TAG,
  text,
  time,
  urn,
} from '../../catalog/route/index.js';

/** URNs listed in one answer. */
export const MAX_URNS = 10_000;

export const exists = action({
  resource: 'entities',
  action: 'exists',
  summary: 'Checks whether an entity exists',
  parameters: {
    urn: urn('URN of the entity'),
    includeSoftDelete: flag('whether a soft-deleted one counts, default true'),
  },
  required: ['urn'],
  answer: 'true or false',
  example: { urn: DATASET },
});

export const filterExistingUrns = action({
  resource: 'entities',
  action: 'filterExistingUrns',
  summary: 'Picks the URNs of entities that exist',
  parameters: {
    request: {
      type: 'object',
      title: 'FilterExistingUrnsRequest',
      description: '{urns: [urn], includeSoftDelete: default true}',
      properties: {
        urns: documented(listOf('the URNs to look for', { type: 'string' }), (schemas) => ({
          type: 'array',
          items: schemas.knownUrn(),
        })),
        includeSoftDelete: flag('whether soft-deleted ones count, default true'),
      },
      required: ['urns'],
      additionalProperties: false,
    },
  },
  required: ['request'],
  answer: 'list of URNs, in the order given',
  example: { request: { urns: [DATASET] } },
});

export const listUrns = action({
  resource: 'entities',
  action: 'listUrns',
  summary: 'Lists the URNs of entities of one type, without soft-deleted ones, in their own order',
  parameters: {
    entity: entityName('name of the entity'),
    start: integer('how many to leave out, default 0'),
    count: integer(`at most ${MAX_URNS}, default 10`),
  },
  required: ['entity'],
  answer: '{entities: [urn], start, count, total}',
  example: { entity: 'dataset', start: 0, count: 10 },
});

export const getTotalEntityCount = action({
  resource: 'entities',
  action: 'getTotalEntityCount',
  summary: 'Counts the entities of one type, without soft-deleted ones',
  parameters: { entity: entityName('name of the entity') },
  required: ['entity'],
  answer: 'a number',
  example: { entity: 'dataset' },
});

export const batchGetTotalEntityCount = action({
  resource: 'entities',
  action: 'batchGetTotalEntityCount',
  summary: 'Counts the entities of several types, without soft-deleted ones',
  parameters: { entities: entityNames('names of entities') },
  required: ['entities'],
  answer: '{<entity>: number}',
  example: { entities: ['dataset'] },
});

export const deleteEntity = action({
  resource: 'entities',
  action: 'delete',
  needs: 'delete',
  summary: 'Permanently deletes an entity, or one of its aspects, or a range of events',
  parameters: {
    urn: urn('URN of the entity'),
    aspectName: text('only this aspect'),
    startTimeMillis: time('events of a time-series aspect from here on, included'),
    endTimeMillis: time('and up to here, included'),
  },
  required: ['urn'],
  answer:
    '{urn, rows, timeseriesRows}; zeros when there was nothing to delete; references: where it can be followed how a label, user or domain is taken off what refers to it',
  example: { urn: TAG },
});

export const deleteReferences = action({
  resource: 'entities',
  action: 'deleteReferences',
  needs: 'delete',
  remark: 'a dry run needs `read`',
  summary:
    'Removes the references to an entity from all aspects that hold one; the entity may be gone already',
  parameters: {
    urn: urn('URN that is referred to'),
    dryRun: flag('true only finds the references'),
  },
  required: ['urn'],
  answer: '{total, relatedAspects: [{relationshipType, urn, aspect}], left: those that cannot be removed}',
  example: { urn: TAG, dryRun: true },
});

/** The actions about the life of entities, in the order in which they are shown. */
export const LIFECYCLE_ROUTES = [
  exists,
  filterExistingUrns,
  listUrns,
  getTotalEntityCount,
  batchGetTotalEntityCount,
  deleteEntity,
  deleteReferences,
];
