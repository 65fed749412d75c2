export * from './access-policies.js';
export * from './access.js';
export * from './principal.js';
export * from './authorizer.js';
export * from './entity-privileges.js';
export * from './service-privileges.js';
