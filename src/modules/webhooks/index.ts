export { WebhookRow } from './entities/webhook.row.js';
export { WebhooksModule } from './webhooks.module.js';
