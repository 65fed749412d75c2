export * from './bull-job-queue.js';
export * from './bull-queue.module.js';
