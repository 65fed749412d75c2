export * from './aspect-history.row.js';
export * from './aspect.row.js';
export * from './discovered.js';
export * from './entities.module.js';
export * from './entity-reader.service.js';
export * from './entity.row.js';
export * from './list-query.decorator.js';
export * from './stored-entity.js';
