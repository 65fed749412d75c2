import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECONDS, type Labels, type Meter } from '../catalog/metrics/index.js';
import { surfaceOf } from './surface.js';

/** Notes how long requests take, by route and status. To be called before the server listens. */
export function meterRequests(server: FastifyInstance, meter: Meter): void {
  const note = meter.histogram(
    {
      name: 'catalog_http_request_seconds',
      help: 'Time of requests, by route and status',
      labels: ['method', 'route', 'status'],
    },
    SECONDS,
  );
  const sets = new Map<string, Labels>();
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const { method } = request;
    const route = routeOf(request, statusCode);
    const key = `${statusCode} ${method} ${route}`;
    // The same object for the same labels: the caller need not build the text each time.
    let labels = sets.get(key);
    if (labels === undefined) sets.set(key, (labels = { method, route, status: String(statusCode) }));
    note(reply.elapsedTime / 1000, labels);
    done();
  });
}

/**
 * The pattern, never the path: there are as many paths as entities. An action of the aspect API is a route of its own,
 * as far as the answer shows that there is such an action.
 */
export function routeOf(request: FastifyRequest, status: number): string {
  const pattern = request.routeOptions.url ?? 'none';
  if (request.method !== 'POST' || status >= 400 || surfaceOf(request.url) !== 'aspect-api') return pattern;
  const { action } = request.query as { action?: unknown };
  return typeof action === 'string' ? `${pattern}?action=${action}` : pattern;
}
