export { AuditModule } from './audit.module.js';
export { ChainedAuditLog } from './chained-audit-log.js';
export { AuditChainRow } from './entities/audit-chain.row.js';
export { AuditRow } from './entities/audit.row.js';
