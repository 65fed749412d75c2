import type { FastifyInstance, RouteOptions } from 'fastify';
import type { DirectRoute } from '../catalog/extension/direct-route.js';
import type { RouteMarks } from '../modules/auth/index.js';

/**
 * Has marked routes served without the framework. To be called before the routes are registered, and before what goes around their
 * handlers.
 * @param provided finds the provider that a mark names
 */
export function serveDirectRoutes(
  server: FastifyInstance,
  provided: (type: NonNullable<RouteMarks['direct']>) => DirectRoute | undefined,
): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const { direct } = (route.config ?? {}) as RouteMarks;
    const served = direct && provided(direct);
    if (served !== undefined) route.handler = (request, reply) => served.serve(request, reply);
  });
}
