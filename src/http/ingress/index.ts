export { admitRequests, type BodyTerms } from './admission.js';
export { BodyBudget } from './body-budget.js';
export { readBody } from './body-reader.js';
export { JSON_TYPES, saysUtf8 } from './content-type.js';
export { answerBrokenRequests, limitConnections } from './connections.js';
export { watchPressure } from './pressure.js';
export { RateLimits, type RateLimit } from './rate-limits.js';
export { RequestSlots } from './request-slots.js';
export { discardBody } from './unread-body.js';
