import type { FastifyRequest } from 'fastify';
import type { RequestOrigin, RequestSource } from '../catalog/schedule/index.js';
import { surfaceOf } from './surface.js';

/** Longer ones are cut: they say no more. */
const MAX_AGENT = 200;

/** The characters that headers should have: others could not be told apart where they are shown. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

declare module 'fastify' {
  interface FastifyRequest {
    readonly origin: RequestOrigin;
  }
}

/** Where a request came from, for the audit log. */
export function originOf(request: FastifyRequest): RequestOrigin {
  const agent = request.headers['user-agent'] ?? '';
  return {
    address: request.ip,
    userAgent: agent.slice(0, MAX_AGENT).replaceAll(UNPRINTABLE, '?'),
    source: sourceOf(request.url),
    requestId: request.id,
  };
}

function sourceOf(url: string): RequestSource {
  if (/^\/+api\/(?:v2\/)?graphi?ql/.test(url)) return 'GRAPHQL';
  return surfaceOf(url) === 'aspect-api' ? 'RESTLI' : 'OPENAPI';
}
