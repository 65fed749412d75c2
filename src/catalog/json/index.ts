export * from './strict-json.js';
export { readJson, readJsonInSteps } from './read-json.js';
export * from './json-strings.js';
export { jsonParts } from './json-parts.js';
export { JsonText } from './json-text.js';
