export * from './delivery-table.js';
export * from './former-work.js';
export * from './job-table.js';
export * from './pending-work.js';
export * from './try-ledger.js';
