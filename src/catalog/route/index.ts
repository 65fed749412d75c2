export * from './action.js';
export * from './answers.js';
export * from './check.js';
export * from './example-entities.js';
export * from './http.js';
export * from './page.js';
export * from './schema.js';
export * from './trace.js';
