import { currentOrigin, type AuditEventType, type AuditRecord } from '../../catalog/audit/index.js';
import type { AccessTokenRow } from './entities/access-token.row.js';

/** What the audit log says of a session instead. */
const SESSION_EVENTS: Partial<Record<AuditEventType, AuditEventType>> = {
  CreateAccessTokenEvent: 'LogInEvent',
  RevokeAccessTokenEvent: 'LogOutEvent',
  ExpireAccessTokenEvent: 'LogOutEvent',
};

/** What the audit log says of a token: never its hash. */
export function tokenRecord(
  actor: string,
  type: AuditEventType,
  row: AccessTokenRow,
  more: object = {},
): AuditRecord {
  const { id, actor: holder, role, name, expiresAt, parent } = row;
  const details = {
    ...{ holder, role, name },
    ...(expiresAt > 0 && { expiresAt }),
    ...(parent !== '' && { parent }),
    ...more,
  };
  const named = (row.kind === '' ? undefined : SESSION_EVENTS[type]) ?? type;
  const event = { type: named, urn: `urn:li:dataHubAccessToken:${id}`, details };
  return { actor, origin: currentOrigin(), events: [event] };
}
