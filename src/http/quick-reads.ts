import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { QuickAnswer, QuickRead } from '../catalog/extension/quick-read.js';
import type { AuthenticatedRequest } from '../modules/auth/index.js';
import { changeMarkedRoutes, type Provided } from './marked-routes.js';

/**
 * Has plain requests of marked routes answered before their controller is reached, where that is possible. They are
 * admitted, counted and logged like all others. To be called after the admission, and before the routes are registered.
 */
export function answerQuickReads(server: FastifyInstance, provided: Provided<'quick'>): void {
  changeMarkedRoutes(server, 'quick', provided, (route, reads) => {
    // The route that Fastify makes for HEAD gets the hook of the one for GET.
    if (route.method === 'GET') route.onRequest = [...[route.onRequest ?? []].flat(), hookOf(reads)];
  });
}

function hookOf(reads: QuickRead) {
  const isPlain = (url: string): boolean => reads.readsQuery || !url.includes('?');
  return (
    request: FastifyRequest & AuthenticatedRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const { principal } = request;
    if (principal === undefined || request.method !== 'GET' || !isPlain(request.url)) {
      done();
      return;
    }
    const answered = (answer: QuickAnswer | undefined): void => {
      if (answer === undefined) done();
      else {
        const { body, headers, contentType = 'application/json', sent } = answer;
        if (headers !== undefined) reply.headers(headers);
        // The system has all of it then.
        if (sent !== undefined) reply.raw.once('finish', sent);
        reply.header('content-type', contentType).send(body);
      }
    };
    try {
      const answer = reads.answer(principal, request);
      if (answer instanceof Promise) answer.then(answered, done);
      else answered(answer);
    } catch (error) {
      done(error as Error);
    }
  };
}
