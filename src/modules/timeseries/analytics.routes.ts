import {
  action,
  aspectName,
  entityName,
  integer,
  listOf,
  name,
  text,
  word,
  type ActionResource,
} from '../../catalog/route/index.js';
import { filterParameter } from '../../catalog/search/index.js';
import { TIME_UNITS } from './time-spans.js';

/** `POST /analytics?action=…`. */
export const ANALYTICS_ACTIONS: ActionResource = {
  name: 'analytics',
  summary: 'Counts and sums what events say',
};

/** The most events that one table is made of, and the most rows that it may have. */
export const MAX_COUNTED = 100_000;
export const MAX_TABLE_ROWS = 10_000;

const AGGREGATIONS = ['LATEST', 'SUM', 'CARDINALITY'] as const;
const BUCKETS = ['DATE_GROUPING_BUCKET', 'STRING_GROUPING_BUCKET'] as const;

export const getTimeseriesStats = action({
  resource: 'analytics',
  action: 'getTimeseriesStats',
  summary:
    'Makes a table of the events of a time-series aspect: a row for each group, with its latest value, sum or number of values',
  parameters: {
    entityName: entityName('name of the entity'),
    aspectName: aspectName('name of the time-series aspect', 'timeseries'),
    metrics: listOf('[{fieldPath, aggregationType: LATEST, SUM or CARDINALITY}], a column each', {
      type: 'object',
      properties: {
        fieldPath: name('the field, such as userCounts.count'),
        aggregationType: word('what is made of its values', AGGREGATIONS),
      },
      required: ['fieldPath', 'aggregationType'],
    }),
    filter: filterParameter,
    buckets: listOf(
      '[{type, key, timeWindowSize: {unit, multiple}}]: what makes a group, a column each; DATE_GROUPING_BUCKET with the key timestampMillis, STRING_GROUPING_BUCKET with any field; one group when absent',
      {
        type: 'object',
        properties: {
          type: word('how groups are made', BUCKETS),
          key: name('the field'),
          timeWindowSize: {
            type: 'object',
            properties: {
              unit: word('unit of the length of a span', TIME_UNITS),
              multiple: integer('so many units are a span, default 1', { minimum: 1, maximum: 10_000 }),
            },
            required: ['unit'],
          },
          timeZone: text('taken for older clients and ignored: spans begin in UTC'),
        },
        required: ['type', 'key'],
      },
    ),
  },
  required: ['entityName', 'aspectName', 'metrics'],
  answer: `{entityName, aspectName, filter, aggregationSpecs, groupingBuckets, table: {columnNames, columnTypes, rows: [[text]]}}; of at most ${MAX_COUNTED} events, in at most ${MAX_TABLE_ROWS} rows`,
  example: {
    entityName: 'dataset',
    aspectName: 'datasetUsageStatistics',
    metrics: [{ fieldPath: 'uniqueUserCount', aggregationType: 'LATEST' }],
    buckets: [
      {
        key: 'timestampMillis',
        type: 'DATE_GROUPING_BUCKET',
        timeWindowSize: { unit: 'DAY', multiple: 1 },
      },
    ],
  },
});
