export * from './extension-points.js';
