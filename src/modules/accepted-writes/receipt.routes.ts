import { action, integer, text } from '../../catalog/route/index.js';

export const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

export const failedWrites = action({
  resource: 'operations',
  action: 'failedWrites',
  needs: 'manage',
  summary: 'Lists accepted writes that are suspended because they failed or crashed the process',
  parameters: {
    count: integer(`writes to answer, default ${DEFAULT_COUNT}, at most ${MAX_COUNT}`, {
      maximum: MAX_COUNT,
    }),
  },
  answer:
    '{total, writes: [{traceId, actor, items: [{urn, aspect}], error, submitted, failed}]}, oldest first',
  example: { count: 20 },
});

export const retryWrites = action({
  resource: 'operations',
  action: 'retryWrites',
  needs: 'manage',
  summary: 'Retries suspended writes, over what was written since',
  parameters: { traceId: text('only this one') },
  answer: '{retried: how many}',
  example: {},
});

/** What administrators do about suspended writes. */
export const RECEIPT_ACTIONS = [failedWrites, retryWrites];
