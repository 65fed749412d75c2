import type { FastifyInstance } from 'fastify';
import type { RequestSpan, Tracing } from '../catalog/tracing/index.js';
import { routeOf } from './request-metrics.js';
import { isOperation } from './request-hooks.js';
import { pathOf } from './surface.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined while requests are not traced. */
    span?: RequestSpan | undefined;
  }
}

/**
 * Makes each request a span, which continues the trace of its `traceparent`. Health checks and scrapes have none: there
 * would be little else. To be called before other hooks are registered.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  if (!tracing.on) return;
  server.decorateRequest('span', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.originalUrl);
    if (isOperation(path)) return done();
    const given = request.headers['traceparent'];
    const span = tracing.request(typeof given === 'string' ? given : undefined);
    request.span = span;
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      const route = routeOf(request, statusCode);
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': statusCode,
        // Without the query and the headers: both may hold secrets.
        'url.path': path,
        'catalog.request_id': request.id,
      };
      span.end({ name: `${request.method} ${route}`, attributes }, statusCode >= 500);
    });
    span.inside(done);
  });
  // What reads a body calls on from outside.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done();
    else request.span.inside(done);
  });
}
