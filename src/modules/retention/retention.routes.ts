import { action, flag, text } from '../../catalog/route/index.js';

export const applyRetention = action({
  resource: 'operations',
  action: 'applyRetention',
  needs: 'manage',
  summary:
    'Removes earlier versions and events that retention no longer keeps, some seconds at a time; the latest ones stay',
  parameters: {
    dryRun: flag('whether to count what would go, and remove nothing; default false'),
    from: text('`next` of the answer before; left out, it begins'),
  },
  answer:
    '{history, events: how many went, aspects: [{entityType, aspect, count}], next: absent when all was looked at; of a dry run then logs: {changeLog, audit: entries older than their settings allow}}',
  example: { dryRun: true },
});
