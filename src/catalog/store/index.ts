export * from './columns.js';
export * from './database.js';
export * from './entity-state.js';
export * from './entity-state-reader.js';
export * from './checkpoints.js';
export * from './store-facts.js';
export * from './store-identity.js';
export * from './unlogged-changes.js';
