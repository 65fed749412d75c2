export * from './policies.module.js';
