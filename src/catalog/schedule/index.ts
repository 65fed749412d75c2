export { Limiter } from './limiter.js';
export { currentRequest, inRequest, RequestScope } from './request-scope.js';
export { turn } from './turns.js';
