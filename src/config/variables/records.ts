import { integer, word } from '../variable.js';

/** What is recorded of changes, who reads it, and how long it is kept. */
export const RECORDS = {
  changeLogDays: integer(
    'CATALOG_CHANGE_LOG_DAYS',
    'days to keep rows of the change log that every consumer has processed; the history of aspects is not touched',
    30,
    0,
    36_500,
  ),
  feedReaders: integer(
    'CATALOG_FEED_READERS',
    'requests that may wait for events of the change feed at the same time, in one process',
    500,
    1,
    100_000,
  ),
  feedWaitMs: integer(
    'CATALOG_FEED_WAIT_MS',
    'milliseconds that a poll of the change feed waits for a first event at most',
    10_000,
    0,
    10_000,
  ),
  feedStreamSeconds: integer(
    'CATALOG_FEED_STREAM_SECONDS',
    'seconds after which a stream of the change feed is ended; its reader connects again, maybe to another process',
    3600,
    0,
    86_400,
  ),
  feedHoldDays: integer(
    'CATALOG_FEED_HOLD_DAYS',
    'days beyond CATALOG_CHANGE_LOG_DAYS that the change log is kept for webhooks and registered consumers that have not read it',
    30,
    0,
    36_500,
  ),
  webhookInternal: word(
    'CATALOG_WEBHOOK_INTERNAL',
    'whether webhooks may lead to loopback and private addresses',
    ['off', 'on'],
  ),
  audit: word(
    'CATALOG_AUDIT',
    'whether the audit log records writes, deletions, tokens and changes of webhooks',
    ['on', 'off'],
  ),
  auditReads: word('CATALOG_AUDIT_READS', 'whether it records reads of single entities as well', [
    'off',
    'on',
  ]),
  auditDays: integer('CATALOG_AUDIT_DAYS', 'days that audit records are kept', 365, 1, 36_500),
  historyVersions: integer(
    'CATALOG_HISTORY_VERSIONS',
    'versions to keep of an aspect that no retention policy is for, the latest one included; 0: all',
    0,
    0,
    1_000_000,
  ),
  historyDays: integer(
    'CATALOG_HISTORY_DAYS',
    'days to keep earlier versions of an aspect that no retention policy is for; 0: for ever',
    0,
    0,
    36_500,
  ),
  timeseriesDays: integer(
    'CATALOG_TIMESERIES_DAYS',
    'days to keep events of time series, apart from the latest of each entity and aspect; 0: for ever',
    0,
    0,
    36_500,
  ),
} as const;
