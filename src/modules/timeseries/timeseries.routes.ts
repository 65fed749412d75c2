import {
  action,
  aspectName,
  DATASET,
  entityName,
  flag,
  integer,
  PAGE_PARAMETERS,
  parsed,
  route,
  SYSTEM_METADATA,
  text,
  time,
  urn,
} from '../../catalog/route/index.js';
import { filterParameter } from '../../catalog/search/index.js';

/** Events of one answer. */
export const MAX_EVENTS = 10_000;

export const getTimeseriesAspectValues = action({
  resource: 'aspects',
  action: 'getTimeseriesAspectValues',
  summary: 'Reads the events of a time-series aspect, newest first',
  parameters: {
    urn: urn('URN of the entity'),
    entity: entityName('name of the entity'),
    aspect: aspectName('name of the time-series aspect', 'timeseries'),
    startTimeMillis: time('earliest time, included'),
    endTimeMillis: time('latest time, included'),
    limit: integer(`at most and by default ${MAX_EVENTS}`, { minimum: 1 }),
    latestValue: flag('true for the newest event only'),
    filter: filterParameter,
    sort: parsed('{field: timestampMillis, order: ASCENDING or DESCENDING}', (schemas) => ({
      anyOf: [
        schemas.component('TimeseriesSort', () => ({
          type: 'object',
          required: ['field'],
          properties: {
            field: { type: 'string', enum: ['timestampMillis'] },
            order: { type: 'string', enum: ['ASCENDING', 'DESCENDING'] },
          },
        })),
        { type: 'null' },
      ],
    })),
  },
  required: ['urn', 'entity', 'aspect'],
  answer:
    '{entityName, aspectName, startTimeMillis, endTimeMillis, limit, values: [{aspect, systemMetadata}]}',
  example: {
    urn: DATASET,
    entity: 'dataset',
    aspect: 'datasetProfile',
    startTimeMillis: 0,
    endTimeMillis: 1_900_000_000_000,
  },
});

export const truncateTimeseriesAspect = action({
  resource: 'operations',
  action: 'truncateTimeseriesAspect',
  needs: 'manage',
  summary: 'Deletes the events of a time-series aspect up to a time, of all entities of a kind',
  parameters: {
    entityType: entityName('name of the entity'),
    aspect: aspectName('name of the time-series aspect', 'timeseries'),
    endTimeMillis: time('the latest time that goes, included'),
    dryRun: flag('whether to count what would go, and delete nothing', true),
    batchSize: integer('taken for older clients and ignored'),
    timeoutSeconds: integer('taken for older clients and ignored'),
    forceDeleteByQuery: flag('taken for older clients and ignored'),
    forceReindex: flag('taken for older clients and ignored'),
  },
  required: ['entityType', 'aspect', 'endTimeMillis'],
  answer: 'a text that says how many events go, out of how many there are',
  example: { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1_500_000_000_000, dryRun: true },
});

export const getIndexSizes = action({
  resource: 'operations',
  action: 'getIndexSizes',
  needs: 'manage',
  summary: 'Estimates how much the events of each time-series aspect take',
  parameters: {},
  answer:
    '{indexSizes: [{indexName, entityName, aspectName, sizeInMb}]}, by what the newest events take; of aspects that have any',
  example: {},
});

export const getEsTaskStatus = action({
  resource: 'operations',
  action: 'getEsTaskStatus',
  needs: 'manage',
  summary: 'Tells that a task of a search server is not known: every action ends before its answer',
  parameters: {
    task: text('the task, <node>:<number>; or its two parts:'),
    nodeId: text('the node'),
    taskId: integer('the number'),
  },
  answer: 'a JSON text {error}',
  example: { task: 'aB1cdEf2GHIJKLMnoPQr3S:123456' },
});

const bound = () => time('A bound of the times of the events, included.');

export const listEvents = route({
  method: 'get',
  path: '/openapi/v2/timeseries/{entity}/{aspect}',
  operation: 'listEvents',
  summary: 'Lists the events of a time-series aspect of all entities of a kind, newest first',
  description: 'Events of all entities of the kind within the bounds, newest first, page by page.',
  inPath: {
    entity: {
      description: 'The kind of the entities.',
      schema: (schemas) => schemas.entityName(),
      example: 'dataset',
    },
    aspect: {
      description: 'A time-series aspect of it.',
      schema: (schemas) => schemas.aspectName('timeseries'),
      example: 'datasetProfile',
    },
  },
  parameters: {
    ...PAGE_PARAMETERS,
    startTimeMillis: bound(),
    endTimeMillis: bound(),
    systemMetadata: SYSTEM_METADATA,
  },
  answers: (schemas) => ({
    200: {
      description: 'One page of events.',
      schema: {
        type: 'object',
        required: ['scrollId', 'results'],
        additionalProperties: false,
        properties: {
          scrollId: {
            type: ['string', 'null'],
            description: 'The cursor of the next page; null on the last page.',
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['timestampMillis', 'urn', 'event'],
              additionalProperties: false,
              properties: {
                timestampMillis: { type: 'integer' },
                urn: schemas.knownUrn(),
                event: { type: 'object' },
                messageId: { type: 'string' },
                systemMetadata: schemas.common('SystemMetadata'),
              },
            },
          },
        },
      },
    },
  }),
  errors: [400],
});
