export * from './job-queue.js';
export * from './processor.js';
export * from './suspect-turns.js';
