export * from './extension-points.js';
export * from './system-update-step.js';
