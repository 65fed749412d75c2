import { NoAuditLog, type AuditLog } from '../../catalog/audit/index.js';
import type { Database } from '../../catalog/store/index.js';
import { ChainedAuditLog } from './chained-audit-log.js';

/** The audit log of a database, for a process that writes to it. */
export const auditLogOf = (database: Database, isOn: boolean): AuditLog =>
  isOn ? new ChainedAuditLog(database) : new NoAuditLog(database);
