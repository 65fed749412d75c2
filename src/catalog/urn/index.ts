export * from './urn.js';
