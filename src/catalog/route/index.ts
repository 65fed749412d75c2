export * from './action.js';
export * from './check.js';
export * from './schema.js';
