import { action, integer, urn } from '../../../catalog/route/index.js';

export const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

export const propertyRemovals = action({
  resource: 'operations',
  action: 'propertyRemovals',
  summary:
    'Returns the progress of the background removals of values of structured properties, the newest first',
  parameters: {
    urn: urn('of this property only'),
    count: integer(`removals to answer, default ${DEFAULT_COUNT}, at most ${MAX_COUNT}`, {
      maximum: MAX_COUNT,
    }),
  },
  answer:
    '{removals: [{property, reason: deleted or version, state: waiting, running, failed or done, error, total, done, removed, progress, requested, started, finished}]}',
  example: { count: 20 },
});
