import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateCounts } from '../../catalog/schedule/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import type { AuthenticatedRequest } from '../../modules/auth/index.js';

/** How many requests of one caller are served within a time. */
export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Callers that a process counts itself: the oldest are forgotten beyond that. */
const CALLERS = 20_000;

/** Refuses requests of a caller that sends too many: by token, by user where the token is of an identity provider, else by address. */
export class RateLimits {
  private count: ReturnType<FastifyInstance['createRateLimit']> | undefined;

  private constructor(
    private readonly server: FastifyInstance,
    private readonly limit: RateLimit,
  ) {}

  /** @param counts where several processes count together; while that is unavailable, nothing is refused */
  static async on(server: FastifyInstance, limit: RateLimit, counts?: RateCounts): Promise<RateLimits> {
    const { default: rateLimit, normalizeIP } = await import('@fastify/rate-limit');
    void server.register(rateLimit, {
      global: false,
      max: limit.requests,
      timeWindow: limit.windowMs,
      cache: CALLERS,
      keyGenerator: (request) => keyOf(request as FastifyRequest & AuthenticatedRequest, normalizeIP),
      skipOnError: true,
      ...(counts && { redis: counts.redis, nameSpace: counts.prefix }),
    });
    return new RateLimits(server, limit);
  }

  /**
   * Counts a request, after it is known who sent it, and says in the answer how many more there may be.
   * @throws CatalogError TOO_MANY_REQUESTS
   */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The library is there once the server is ready.
    this.count ??= this.server.createRateLimit();
    const counted = await this.count(request);
    if (counted.isAllowed) return;
    const { max, remaining, ttlInSeconds, isExceeded } = counted;
    reply.headers({
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(ttlInSeconds),
    });
    if (!isExceeded) return;
    const message = `more than ${max} requests within ${this.limit.windowMs / 1000} seconds: try again in ${ttlInSeconds} seconds`;
    throw new CatalogError('TOO_MANY_REQUESTS', message, [], { retryAfter: ttlInSeconds });
  }
}

function keyOf(
  { principal, ip }: FastifyRequest & AuthenticatedRequest,
  normalize: (ip: string) => string,
): string {
  if (principal?.tokenId !== undefined) return `token:${principal.tokenId}`;
  // Tokens of identity providers are renewed all the time.
  if (principal?.endsAt !== undefined) return `user:${principal.actor}`;
  return `address:${normalize(ip)}`;
}
