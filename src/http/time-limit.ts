import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { refuse } from '../catalog/errors/index.js';
import { currentRequest } from '../catalog/schedule/index.js';
import type { RouteMarks } from '../modules/auth/index.js';

/**
 * Ends the work for a request when its time is up: searches, statements and writes that have not begun are given up, and the
 * client is answered 503. Routes that wait, and those with a limit of their own, have no limit here. To be called before
 * the routes are registered.
 * @param limitMs milliseconds from when the request was read
 * @param errors sends one
 */
export function limitTime(
  server: FastifyInstance,
  limitMs: number,
  errors: { answer(error: Error, request: FastifyRequest, reply: FastifyReply): void },
): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const { waits, ownTimeLimit } = (route.config ?? {}) as RouteMarks;
    const limited = waits !== true && ownTimeLimit !== true && limitMs < Infinity;
    const { handler } = route;
    route.handler = function (request, reply) {
      const scope = currentRequest();
      const served: unknown = handler.call(this, request, reply);
      if (scope === undefined || !(served instanceof Promise)) return served;
      const timer = limited
        ? setTimeout(() => {
            // An answer that is being sent is complete.
            if (reply.sent) return;
            const error = refuse(
              'DEADLINE_EXCEEDED',
              `the request took longer than ${limitMs} ms and was ended; what it has written stays written`,
            );
            scope.end(error);
            errors.answer(error, request, reply);
          }, limitMs)
        : undefined;
      const over = (): void => {
        clearTimeout(timer);
        scope.served();
      };
      served.then(over, over);
      return served;
    };
  });
}
