export * from './error-codes.js';
export * from './catalog-error.js';
export * from './logged-error.js';
