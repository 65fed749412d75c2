export * from './job-queue.js';
export * from './processor.js';
