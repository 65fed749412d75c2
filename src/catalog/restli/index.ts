export * from './parameters.js';
export * from './record-namespace.js';
export * from './restli-list.js';
export * from './snapshot-form.js';
