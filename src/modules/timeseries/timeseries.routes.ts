import {
  action,
  aspectName,
  entityName,
  flag,
  integer,
  parsed,
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
    urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)',
    entity: 'dataset',
    aspect: 'datasetProfile',
    startTimeMillis: 0,
    endTimeMillis: 1_900_000_000_000,
  },
});
