import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Headers of answers that clients use and browsers hide from pages of other origins. */
const EXPOSED = [
  'ETag',
  'Last-Modified',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Traceparent',
  'X-Export-Cut',
  'X-Feed-Cursor',
  'X-Request-Id',
];
/** How long a browser keeps what it was allowed, seconds. */
const KEPT_SECONDS = 600;

/**
 * Lets pages of these origins call the service. They send a token as every client does: browsers add no cookie to
 * such a call, and the cookie of a session counts for pages of this origin only. Without origins, browsers refuse.
 */
export function allowOrigins(application: NestFastifyApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  application.enableCors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: KEPT_SECONDS,
    credentials: false,
    // What is refused is answered as any request without the headers of an origin.
    strictPreflight: false,
  });
}
