export * from './relationship.js';
export * from './relationships.module.js';
export * from './relationships.service.js';
