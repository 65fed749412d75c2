/** Types of entities that no module of their own serves; all others stand with their modules. */
export * from './flows.js';
export * from './knowledge.js';
export * from './learning.js';
export * from './people.js';
export * from './places.js';
export * from './reports.js';
export * from './runs.js';
export * from './semantics.js';
