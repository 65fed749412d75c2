export { AdaptiveBatch } from './adaptive-batch.js';
export { furthest, isAhead } from './clock.js';
export { BackgroundThrottle } from './background-throttle.js';
export { FairLine } from './fair-line.js';
export { PortionSize } from './portion-size.js';
export { PeriodicJob } from './periodic-job.js';
export { RATE_COUNTS, type RateCounts } from './rate-counts.js';
export { functionThread } from './function-thread.js';
export { Limiter } from './limiter.js';
export {
  currentRequest,
  inRequest,
  outsideRequests,
  RequestScope,
  type RequestOrigin,
  type RequestSource,
} from './request-scope.js';
export { inSlices, mapInSlices, TimeSlices } from './slices.js';
export { atOnce, eachInSteps, inTurns, ITEMS_A_STEP, type Steps } from './steps.js';
export { turn } from './turns.js';
export { threadSource } from './thread-source.js';
