import { action, text } from '../../catalog/route/index.js';

export const retryJobs = action({
  resource: 'operations',
  action: 'retryJobs',
  summary: 'Runs background jobs again that failed, or that were put aside because processes died of them',
  parameters: { queue: text('only those of this queue') },
  answer: '{retried: how many}',
  example: {},
});
