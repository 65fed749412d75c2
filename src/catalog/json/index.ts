export * from './strict-json.js';
