import { Redis } from 'ioredis';
import type { RateCounts } from '../../catalog/schedule/index.js';

/** Every request waits for it: a Redis that does not answer may hold none up for long. */
const COMMAND_MS = 250;
const CONNECT_MS = 5_000;
const LONGEST_PAUSE_MS = 1_000;

/** Counts of requests that all processes on one Redis share. */
export class RedisRateCounts implements RateCounts {
  readonly redis: Redis;

  /** @param prefix what the keys begin with */
  constructor(
    url: string,
    readonly prefix: string,
  ) {
    this.redis = new Redis(url, {
      connectTimeout: CONNECT_MS,
      commandTimeout: COMMAND_MS,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      disableClientInfo: true,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
    });
    // The queue on the same server says when it is unavailable.
    this.redis.on('error', () => undefined);
  }

  close(): void {
    this.redis.disconnect();
  }
}
