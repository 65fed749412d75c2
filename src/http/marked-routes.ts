import type { FastifyInstance, RouteOptions } from 'fastify';
import type { RouteMarks } from '../modules/auth/index.js';

/** Marks of a route that name a provider. */
type Named = 'direct' | 'quick';

/** Finds the provider that the mark names. */
export type Provided<N extends Named> = (
  type: NonNullable<RouteMarks[N]>,
) => InstanceType<NonNullable<RouteMarks[N]>> | undefined;

/**
 * Changes the routes whose mark names a provider that there is. To be called before the routes are registered.
 * @param change is given the route and the provider
 */
export function changeMarkedRoutes<N extends Named>(
  server: FastifyInstance,
  mark: N,
  provided: Provided<N>,
  change: (route: RouteOptions, provider: InstanceType<NonNullable<RouteMarks[N]>>) => void,
): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const type = ((route.config ?? {}) as RouteMarks)[mark];
    const provider = type && provided(type);
    if (provider !== undefined) change(route, provider);
  });
}
