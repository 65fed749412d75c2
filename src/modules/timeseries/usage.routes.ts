import type { JsonSchema } from '../../catalog/model/index.js';
import {
  action,
  arrayOf,
  DATASET,
  documented,
  integer,
  listOf,
  text,
  time,
  urn,
  word,
  type ActionResource,
} from '../../catalog/route/index.js';
import { TIME_RANGES } from './time-ranges.js';

/** `POST /usageStats?action=…`. */
export const USAGE_ACTIONS: ActionResource = {
  name: 'usageStats',
  summary: 'Counts how datasets are used, and takes reports of it',
};

/** Spans that buckets may have; all begin in UTC. */
export const DURATIONS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

const ANSWER =
  '{buckets: [{bucket, duration, resource, metrics: {uniqueUserCount, users, totalSqlQueries, topSqlQueries, fields}}], aggregations: {uniqueUserCount, users, totalSqlQueries, fields}}; reports beyond the latest 10,000 do not count';

const what = {
  resource: urn('URN of the dataset', 'dataset'),
  duration: word('how long a span is', DURATIONS),
};
const maxBuckets = integer('spans to answer, the latest; default all', { minimum: 1 });
const timeZone = text('taken for older clients and ignored: spans begin in UTC');

export const queryRange = action({
  resource: 'usageStats',
  action: 'queryRange',
  summary: 'Counts the queries over a dataset, in spans of time and all together',
  parameters: {
    ...what,
    rangeFromEnd: word('since when, from now', TIME_RANGES, 'ALL'),
    startTime: integer('since when, epoch milliseconds; in place of rangeFromEnd'),
    maxBuckets,
    timeZone,
  },
  required: ['resource', 'duration'],
  answer: ANSWER,
  example: { resource: DATASET, duration: 'DAY', rangeFromEnd: 'ALL' },
});

export const query = action({
  resource: 'usageStats',
  action: 'query',
  summary: 'Counts the queries over a dataset between two times, in spans and all together',
  parameters: {
    ...what,
    startTime: time('since when, epoch milliseconds, included; default as far as reports go'),
    endTime: time('until when, epoch milliseconds, included'),
    maxBuckets,
    timeZone,
  },
  required: ['resource', 'duration'],
  answer: ANSWER,
  example: { resource: DATASET, duration: 'DAY', startTime: 0, endTime: 1_900_000_000_000 },
});

const counted = (name: string, of: string) => ({
  type: 'object' as const,
  properties: { [name]: text(of), count: integer('how often') },
});

/** What one element of `buckets` holds. */
export const USAGE_BUCKET = {
  parameters: {
    bucket: time('when the span begins, epoch milliseconds'),
    ...what,
    metrics: {
      type: 'object',
      description: 'what was counted',
      properties: {
        uniqueUserCount: integer('how many users there were'),
        users: listOf('how often each asked: {user, count, userEmail}', counted('user', 'URN of the user')),
        totalSqlQueries: integer('how many queries there were'),
        topSqlQueries: listOf('the most frequent queries', { type: 'string' }),
        fields: listOf('how often each column was asked for', counted('fieldName', 'name of the column')),
      },
    },
  },
  required: ['bucket', 'duration', 'resource', 'metrics'],
} as const;

export const batchIngest = action({
  resource: 'usageStats',
  action: 'batchIngest',
  needs: 'write',
  deprecated: true,
  summary: 'Writes reports of the use of datasets; write the aspect datasetUsageStatistics instead',
  parameters: {
    buckets: documented(listOf('[{bucket, duration, resource, metrics}]', { type: 'object' }), (schemas) =>
      arrayOf(
        schemas.component('UsageBucket', () => ({
          type: 'object',
          required: [...USAGE_BUCKET.required],
          additionalProperties: false,
          properties: {
            ...(USAGE_BUCKET.parameters as unknown as Record<string, JsonSchema>),
            resource: schemas.knownUrn('dataset'),
          },
        })),
      ),
    ),
  },
  required: ['buckets'],
  answer: 'nothing',
  example: {
    buckets: [
      { bucket: 1_580_000_000_000, duration: 'DAY', resource: DATASET, metrics: { totalSqlQueries: 3 } },
    ],
  },
});

/** What is known of the use of datasets, in the order in which it is shown. */
export const USAGE_ROUTES = [queryRange, query, batchIngest];
