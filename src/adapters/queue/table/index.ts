export * from './table-job-queue.js';
export * from './table-queue.module.js';
