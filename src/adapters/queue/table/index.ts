export * from './table-job-queue.js';
