export * from './bull-job-queue.js';
