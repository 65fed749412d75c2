export { AuditModule } from './audit.module.js';
export { auditLogOf } from './audit-log-of.js';
export { AuditChainRow } from './entities/audit-chain.row.js';
export { AuditRow } from './entities/audit.row.js';
