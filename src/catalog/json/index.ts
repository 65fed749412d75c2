export * from './strict-json.js';
export { LARGE_TEXT, readJson, readJsonInSteps } from './read-json.js';
export * from './json-strings.js';
export { copyInSteps } from './copy-json.js';
export { isLarge, jsonInSteps, jsonParts } from './json-parts.js';
export { JsonText } from './json-text.js';
