export * from './change-proposal.js';
export * from './change-log.js';
export * from './entity-tags.js';
export * from './version-tag.js';
export * from './request-headers.js';
export * from './write-headers.js';
export * from './trace-id.js';
