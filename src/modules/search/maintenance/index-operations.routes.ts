import {
  action,
  DATASET,
  flag,
  integer,
  text,
  urn,
  type ActionResource,
} from '../../../catalog/route/index.js';
import { MAX_WINDOW } from '../../../catalog/search/index.js';

export const DEFAULT_BUCKETS = 1024;
export const DEFAULT_NAMED = 100;
export const DEFAULT_BATCH = 1000;

/** `POST /operations?action=…`. */
export const OPERATIONS: ActionResource = {
  name: 'operations',
  summary: 'Maintains the search index; for administrators',
};

export const verify = action({
  resource: 'operations',
  action: 'verify',
  needs: 'manage',
  summary: 'Compares store and search index, and repairs the index; needs the role of an administrator',
  parameters: {
    repair: flag('whether to repair what differs, default false'),
    buckets: integer(`number of sums to compare by, default ${DEFAULT_BUCKETS}`, {
      minimum: 1,
      maximum: 65_536,
    }),
    limit: integer(`most URNs to name of each kind, default ${DEFAULT_NAMED}`, { maximum: MAX_WINDOW }),
  },
  answer:
    '{entities, documents, buckets, differingBuckets, differences: {missing, stale, leftOver, ahead: {count, urns}}, repaired, remaining, dangling: {count, references: [{entity, aspect, target}]}}',
  example: {},
});

const restore = {
  action: 'restoreIndices',
  needs: 'manage',
  summary: 'Writes entities to the search index anew; needs the role of an administrator',
  parameters: {
    aspect: text('entities with this aspect only'),
    urn: urn('this entity only'),
    urnLike: text('SQL LIKE pattern of URNs'),
    start: integer('entities to skip, default 0'),
    batchSize: integer(`entities read at once, default ${DEFAULT_BATCH}`, {
      minimum: 1,
      maximum: MAX_WINDOW,
    }),
    limit: integer('entities to index, default all', { minimum: 1 }),
    gePitEpochMs: integer('written at this time or later'),
    lePitEpochMs: integer('written at this time or earlier'),
    createDefaultAspects: flag(
      'taken for older clients: aspects that lack are added when entities are written',
    ),
  },
  answer: 'a JSON text {matched, start, indexed}; matched is 0 when nothing matches',
} as const;

export const restoreIndices = action({ ...restore, resource: 'operations', example: {} });

/** The older place of the same action. */
export const restoreIndicesOfAspects = action({
  ...restore,
  resource: 'aspects',
  deprecated: true,
  example: { urn: DATASET },
});

export const systemUpdate = action({
  resource: 'operations',
  action: 'systemUpdate',
  needs: 'manage',
  summary: 'Begins a system update, which goes on by itself; needs the role of an administrator',
  parameters: {
    mappingsReindex: flag('whether to build the search index anew beside the one in use, default false'),
    structuredProperties: flag('whether to carry out the steps about structured properties, default false'),
  },
  answer: '{started}: false when one is running already',
  example: { mappingsReindex: false },
});

export const systemUpdateProgress = action({
  resource: 'operations',
  action: 'systemUpdateProgress',
  needs: 'manage',
  summary: 'Returns the state of the last system update, and its messages',
  parameters: { from: integer('number of the first line wanted, default 0') },
  answer: '{running, state: none, waiting, running, done or failed, lines: [string], next, failed: why}',
  example: { from: 0 },
});

/** What keeps the search index right. */
export const INDEX_ROUTES = [verify, restoreIndices, systemUpdate, systemUpdateProgress];
