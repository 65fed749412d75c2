export { auditLogOf } from './audit-log-of.js';
