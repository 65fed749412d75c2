import type { AuditChainRow } from './entities/audit-chain.row.js';
import type { AuditRow } from './entities/audit.row.js';

export const AUDIT_COLUMNS = [
  'chain',
  'number',
  'time',
  'actor',
  'address',
  'agent',
  'source',
  'request',
  'events',
  'event_count',
  'hash',
] as const satisfies ReadonlyArray<keyof AuditRow>;

export const AUDIT_CHAIN_COLUMNS = [
  'chain',
  'parent',
  'parent_number',
  'parent_hash',
  'started_at',
  'number',
  'hash',
  'removed_number',
  'removed_hash',
  'removed_until',
] as const satisfies ReadonlyArray<keyof AuditChainRow>;
