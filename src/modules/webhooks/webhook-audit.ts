import { currentOrigin, type AuditEventType, type AuditRecord } from '../../catalog/audit/index.js';
import type { WebhookRow } from './entities/webhook.row.js';

/** What is recorded of something that happened to a webhook. */
export const webhookRecord = (
  actor: string,
  type: AuditEventType,
  details: Readonly<Record<string, unknown>>,
): AuditRecord => ({ actor, origin: currentOrigin(), events: [{ type, details }] });

/** What the audit log says of a change of a webhook: never its secrets. */
export function webhookChange(
  actor: string,
  type: 'CreateWebhookEvent' | 'UpdateWebhookEvent',
  { name, url, topic }: Pick<WebhookRow, 'name' | 'url' | 'topic'>,
  details: { readonly operation: string; readonly reason?: string },
): AuditRecord {
  return webhookRecord(actor, type, { ...details, name, url: new URL(url).origin, topic });
}
