export * from './audit-log.js';
export { NoAuditLog } from './no-audit-log.js';
export { changeEvents, type AuditedChange } from './change-events.js';
