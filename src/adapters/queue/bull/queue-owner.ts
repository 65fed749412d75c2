import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** How long the queues belong to a catalog of which no process says that it runs. */
const LEASE_MS = 15_000;
const LOOK_AGAIN_MS = 250;
/** A start does not wait for a Redis that says nothing. */
const ANSWER_MS = 2_000;

/** The processes of the catalog, by when each is found dead. Leaves those that live. */
const LIVING = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[2], '-inf', now)`;
/** Takes or renews the lease, unless another catalog has it: then it answers for how long still. */
const TAKE = `
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then return redis.call('pttl', KEYS[1]) end
${LIVING}
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('zadd', KEYS[2], now + ARGV[3], ARGV[2])
redis.call('pexpire', KEYS[2], ARGV[3])
return -1`;
/** Leaves the lease to the other processes of the catalog, and ends it when there are none. */
const RELEASE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return end
${LIVING}
redis.call('zrem', KEYS[2], ARGV[2])
if redis.call('zcard', KEYS[2]) == 0 then redis.call('del', KEYS[1]) end`;

/**
 * Says in Redis which catalog the queues belong to, for as long as one of its processes runs. Two catalogs with the same keys
 * would take each other's jobs.
 */
export class QueueOwner {
  private readonly process = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private taking: Promise<unknown> = Promise.resolve();
  /** Whether another catalog has the queues. */
  private lost = false;

  /** @param catalog the identity of its database */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly catalog: string,
    private readonly refused: () => Error,
    private readonly leaseMs = LEASE_MS,
  ) {}

  /**
   * Waits for a catalog whose processes have died. A Redis that is unavailable is asked again later.
   * @throws what `refused` makes, when processes of another catalog run
   */
  async take(): Promise<void> {
    let until = Infinity;
    for (let left = await this.say(); left >= 0; left = await this.say()) {
      const now = performance.now();
      // It was renewed: what is left of it only becomes less otherwise.
      if (now + left > until + LOOK_AGAIN_MS) throw this.refused();
      until = Math.min(until, now + left);
      await sleep(LOOK_AGAIN_MS);
    }
    this.timer = setInterval(() => {
      this.taking = this.renew();
    }, this.leaseMs / 4).unref();
  }

  /** @throws what `refused` makes, when another catalog has the queues by now */
  check(): void {
    if (this.lost) throw this.refused();
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.taking;
    if (this.redis.status === 'ready') await this.run(RELEASE).catch(() => undefined);
  }

  private async renew(): Promise<void> {
    this.lost = (await this.say()) >= 0;
  }

  /** @returns for how many milliseconds another catalog has the queues; -1: they belong to this one, or Redis does not say */
  private async say(): Promise<number> {
    const answer = this.run(TAKE, this.leaseMs).catch(() => -1);
    return Number(await Promise.race([answer, sleep(ANSWER_MS, -1, { ref: false })]));
  }

  private run(script: string, ...more: number[]): Promise<unknown> {
    const keys = [this.key, `${this.key}:processes`];
    return this.redis.eval(script, keys.length, ...keys, this.catalog, this.process, ...more);
  }
}
