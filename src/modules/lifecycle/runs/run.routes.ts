import { action, flag, integer, name, RUN, type ActionResource } from '../../../catalog/route/index.js';

/** Rows, and runs, answered when the caller does not say. */
export const DEFAULT_COUNT = 100;

/** `POST /runs?action=…`. */
export const RUN_ACTIONS: ActionResource = {
  name: 'runs',
  summary: 'Lists, describes and rolls back runs',
};

const includeSoft = flag('whether soft-deleted entities count, default false');
const runId = name('the run');

export const list = action({
  resource: 'runs',
  action: 'list',
  summary: 'Lists runs',
  parameters: {
    pageOffset: integer('runs to skip'),
    pageSize: integer(`runs to answer, default ${DEFAULT_COUNT}`),
    includeSoft,
  },
  answer: '[{runId, rows, timestamp}]',
  example: { pageOffset: 0, pageSize: 100 },
});

export const describe = action({
  resource: 'runs',
  action: 'describe',
  summary: 'Describes what stands from a run',
  parameters: {
    runId,
    start: integer('rows to skip'),
    count: integer(`rows to answer, default ${DEFAULT_COUNT}`),
    includeSoft,
    includeAspect: flag('whether the values come along'),
  },
  required: ['runId'],
  answer: '[{runId, urn, aspectName, timestamp, metadata}]',
  example: { runId: RUN, start: 0, count: 100 },
});

export const rollback = action({
  resource: 'runs',
  action: 'rollback',
  needs: 'delete',
  remark: 'a dry run needs `read`',
  summary: 'Rolls a run back',
  parameters: {
    runId,
    dryRun: flag('only tells what would be done'),
    hardDelete: flag('the older form of safe, and its opposite'),
    safe: flag('false also deletes entities that carry aspects of other runs; default true hides them'),
  },
  required: ['runId'],
  answer:
    '{aspectsAffected, entitiesAffected, entitiesDeleted, aspectsReverted, unsafeEntitiesCount, unsafeEntities, aspectRowSummaries}',
  example: { runId: RUN, dryRun: true },
});

/** What is done about runs, in the order in which it is shown. */
export const RUN_ROUTES = [list, describe, rollback];
