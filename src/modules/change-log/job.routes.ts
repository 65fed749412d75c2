import { action, integer, text, word } from '../../catalog/route/index.js';
import { JOB_STATES } from '../../catalog/queue/index.js';

export const DEFAULT_LISTED = 100;
const MAX_LISTED = 1_000;

export const listJobs = action({
  resource: 'operations',
  action: 'listJobs',
  needs: 'manage',
  summary: 'Lists background jobs: by default those that failed, were suspended, or wait for another attempt',
  parameters: {
    queue: text('only those of this queue'),
    state: word('only those in this state', JOB_STATES),
    count: integer(`jobs to answer of each queue, default ${DEFAULT_LISTED}, at most ${MAX_LISTED}`, {
      minimum: 1,
      maximum: MAX_LISTED,
    }),
  },
  answer:
    '{queues: {name: {waiting, active, delayed, failed, stalled}}, jobs: [{queue, id, state, attempts, runAt, error, urn}]}',
  example: {},
});

export const retryJobs = action({
  resource: 'operations',
  action: 'retryJobs',
  needs: 'manage',
  summary: 'Retries background jobs that failed, or that are suspended because they crashed processes',
  parameters: { queue: text('only those of this queue') },
  answer: '{retried: how many}',
  example: {},
});

export const dropDeliveries = action({
  resource: 'operations',
  action: 'dropDeliveries',
  needs: 'manage',
  summary: 'Drops the changes that wait for a consumer which this version of the service does not have',
  parameters: { consumer: text('its name, as `behind` of `/health` has it') },
  required: ['consumer'],
  answer: '{dropped: how many deliveries}',
  example: { consumer: 'former-consumer' },
});

/** What administrators do about background jobs. */
export const JOB_ROUTES = [listJobs, retryJobs, dropDeliveries];
