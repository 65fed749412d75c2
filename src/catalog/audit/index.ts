export * from './audit-log.js';
export { NoAuditLog } from './no-audit-log.js';
export { changeEvents } from './change-events.js';
