import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  sessionTokenOf,
  startSession,
  type AuthenticatedRequest,
  type SessionService,
} from '../modules/auth/index.js';

/** Gives browsers a new secret for their session from time to time, with the answer to what they ask then. */
export function renewSessions(
  server: FastifyInstance,
  sessions: SessionService,
  logger: Pick<Logger, 'warn'>,
): void {
  server.addHook('preHandler', (request, reply, done) => {
    const { principal } = request as AuthenticatedRequest;
    const renewAt = principal?.session?.renewAt;
    if (renewAt === undefined || renewAt > Date.now()) {
      done();
      return;
    }
    sessions
      .renew(principal!, sessionTokenOf(request.headers, request.protocol)!)
      .then((session) => session && startSession(request, reply, session))
      // The secret holds on: the next request is another chance.
      .catch((error: unknown) => logger.warn({ err: error }, 'a session could not be renewed'))
      .finally(() => done());
  });
}
