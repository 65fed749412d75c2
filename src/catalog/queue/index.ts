export * from './job-queue.js';
export * from './processor.js';
export * from './pending-work.js';
