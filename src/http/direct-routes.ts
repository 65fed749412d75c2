import type { FastifyInstance } from 'fastify';
import { changeMarkedRoutes, type Provided } from './marked-routes.js';

/**
 * Has marked routes served without the framework. To be called before the routes are registered, and before what goes around their
 * handlers.
 */
export function serveDirectRoutes(server: FastifyInstance, provided: Provided<'direct'>): void {
  changeMarkedRoutes(server, 'direct', provided, (route, served) => {
    route.handler = (request, reply) => served.serve(request, reply);
  });
}
