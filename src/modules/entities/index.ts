export * from './action-controller.js';
export * from './action-table.js';
export * from './discovered.js';
export * from './entities.module.js';
export * from './entity-names.js';
export * from './entity-reader.service.js';
export * from './read-filters.js';
export * from './store/index.js';
