import { action, documented, listOf, name, text, word } from '../../catalog/route/index.js';
import { CATEGORIES, TOPICS } from '../events/index.js';

/** The most that may be registered. */
export const MOST_WEBHOOKS = 100;

const NAME = name('what the webhook is called: letters, digits, ".", "_" and "-", at most 64');
const texts = (description: string) => listOf(description, { type: 'string' as const });
const STATE =
  '{name, url, topic, filters, state, offsetId, lag, keptUntil, delivered, deliveredAt, attempts, failingSince, nextAttempt, lastError}';

export const registerWebhook = action({
  resource: 'operations',
  action: 'registerWebhook',
  needs: 'manage',
  summary:
    'Has events of the change feed delivered to an endpoint, or changes where and what; answers the secret of a new one, this once',
  parameters: {
    name: NAME,
    url: name('where to: http or https'),
    topic: word('what to deliver, default PlatformEvent_v1', TOPICS),
    entityTypes: documented(texts('only changes of entities of these types'), (schemas) => ({
      type: 'array',
      items: schemas.entityName(),
    })),
    aspects: documented(texts('only changes of these aspects'), (schemas) => ({
      type: 'array',
      items: schemas.aspectName(),
    })),
    categories: documented(texts('only platform events of these categories'), () => ({
      type: 'array',
      items: { type: 'string', enum: [...CATEGORIES] },
    })),
    urns: texts('only changes of entities whose URN has one of these forms: `*` stands for any text'),
    offsetId: text('cursor of the change feed to begin behind; without it, at the end of the log'),
  },
  required: ['name', 'url'],
  answer: `${STATE}, and secret of a new one`,
  example: { name: 'on-call', url: 'https://example.org/catalog-events', categories: ['DEPRECATION'] },
});

export const listWebhooks = action({
  resource: 'operations',
  action: 'listWebhooks',
  needs: 'manage',
  summary:
    'Lists webhooks with their state, how far they are, until when the log waits, and their last error',
  parameters: {},
  answer: `{webhooks: [${STATE}], feedHoldDays}`,
  example: {},
});

export const rotateWebhookSecret = action({
  resource: 'operations',
  action: 'rotateWebhookSecret',
  needs: 'manage',
  summary: 'Makes a new secret for a webhook; deliveries are signed with both for a day',
  parameters: { name: NAME },
  required: ['name'],
  answer: '{secret}',
  example: { name: 'on-call' },
});

export const resumeWebhook = action({
  resource: 'operations',
  action: 'resumeWebhook',
  needs: 'manage',
  summary: 'Resumes a webhook that is paused, or delivers again from a cursor',
  parameters: {
    name: NAME,
    offsetId: text('cursor of the change feed to deliver from; without it, from where it stopped'),
  },
  required: ['name'],
  answer: STATE,
  example: { name: 'on-call' },
});

export const pauseWebhook = action({
  resource: 'operations',
  action: 'pauseWebhook',
  needs: 'manage',
  summary: 'Pauses a webhook: events wait until it is resumed, as long as the change log keeps them',
  parameters: { name: NAME },
  required: ['name'],
  answer: STATE,
  example: { name: 'on-call' },
});

export const deleteWebhook = action({
  resource: 'operations',
  action: 'deleteWebhook',
  needs: 'manage',
  summary: 'Deletes a webhook',
  parameters: { name: NAME },
  required: ['name'],
  answer: '{deleted: whether there was one}',
  example: { name: 'on-call' },
});

export const WEBHOOK_ROUTES = [
  registerWebhook,
  listWebhooks,
  rotateWebhookSecret,
  resumeWebhook,
  pauseWebhook,
  deleteWebhook,
];
