export * from './change-proposal.js';
export * from './change-log.js';
