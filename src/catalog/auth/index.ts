export * from './principal.js';
export * from './authorizer.js';
