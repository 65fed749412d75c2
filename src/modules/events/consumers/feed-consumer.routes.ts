import { action, name, text, urn } from '../../../catalog/route/index.js';

const STATE = '{name, actor, offsetId, lag, keptUntil, createdAt, seenAt}';
const NAME = name('what the consumer is called: letters, digits, ".", "_" and "-", at most 64');

export const registerFeedConsumer = action({
  resource: 'operations',
  action: 'registerFeedConsumer',
  needs: 'manage',
  summary:
    'Registers a reader of the change feed, for which the log is kept and which may read without a cursor of its own',
  parameters: {
    name: NAME,
    actor: urn('the user whose tokens may read under this name; the caller when left out'),
    offsetId: text('cursor of the change feed to begin behind; without it, at the end of the log'),
  },
  required: ['name'],
  answer: STATE,
  example: { name: 'warehouse-sync' },
});

export const listFeedConsumers = action({
  resource: 'operations',
  action: 'listFeedConsumers',
  needs: 'manage',
  summary:
    'Lists registered readers of the change feed, how many changes they have not confirmed, and until when the log waits',
  parameters: {},
  answer: `{consumers: [${STATE}], feedHoldDays}`,
  example: {},
});

export const deleteFeedConsumer = action({
  resource: 'operations',
  action: 'deleteFeedConsumer',
  needs: 'manage',
  summary: 'Deletes a registered reader of the change feed: the log is no longer kept for it',
  parameters: { name: NAME },
  required: ['name'],
  answer: '{deleted}',
  example: { name: 'warehouse-sync' },
});

export const FEED_CONSUMER_ACTIONS = [registerFeedConsumer, listFeedConsumers, deleteFeedConsumer];
