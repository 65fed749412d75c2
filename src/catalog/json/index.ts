export * from './strict-json.js';
export * from './json-strings.js';
