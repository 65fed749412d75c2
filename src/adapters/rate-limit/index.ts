export { RedisRateCounts } from './redis-rate-counts.js';
