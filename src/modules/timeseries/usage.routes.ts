import { action, DATASET, integer, text, urn, word, type ActionResource } from '../../catalog/route/index.js';
import { TIME_RANGES } from './time-ranges.js';

/** `POST /usageStats?action=…`. */
export const USAGE_ACTIONS: ActionResource = {
  name: 'usageStats',
  summary: 'Counts how datasets are used',
};

/** Spans that buckets may have; all begin in UTC. */
export const DURATIONS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

export const queryRange = action({
  resource: 'usageStats',
  action: 'queryRange',
  summary: 'Counts the queries over a dataset, in spans of time and all together',
  parameters: {
    resource: urn('URN of the dataset', 'dataset'),
    duration: word('how long a span is', DURATIONS),
    rangeFromEnd: word('since when, from now', TIME_RANGES, 'ALL'),
    startTime: integer('since when, epoch milliseconds; in place of rangeFromEnd'),
    maxBuckets: integer('spans to answer, the latest; default all', { minimum: 1 }),
    timeZone: text('taken for older clients and ignored: spans begin in UTC'),
  },
  required: ['resource', 'duration'],
  answer:
    '{buckets: [{bucket, duration, resource, metrics: {uniqueUserCount, users, totalSqlQueries, topSqlQueries, fields}}], aggregations: {uniqueUserCount, users, totalSqlQueries, fields}}; reports beyond the latest 10,000 do not count',
  example: { resource: DATASET, duration: 'DAY', rangeFromEnd: 'ALL' },
});
