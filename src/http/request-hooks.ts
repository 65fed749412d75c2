import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { callerOf } from '../catalog/auth/index.js';
import { refuse } from '../catalog/errors/index.js';
import { inRequest, RequestScope } from '../catalog/schedule/index.js';
import { isLoopback } from '../config/loopback.js';
import type { AuthenticatedRequest } from '../modules/auth/index.js';
import { originOf } from './request-origin.js';
import { securityHeaders } from './security-headers.js';
import { pathOf } from './surface.js';

const SANE_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** The caller's id where it is harmless in a log, so that one request can be followed through several services. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * What happens around every request, whatever it is for.
 * @param stopping says whether the process is about to end
 */
export function registerRequestHooks(
  server: FastifyInstance,
  logger: Logger,
  loopbackOnly: boolean,
  stopping: () => boolean,
): void {
  const security = securityHeaders();
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(security);
    if (stopping()) {
      reply.header('connection', 'close');
      done(refuse('SERVICE_UNAVAILABLE', 'this process is stopping: try again'));
    } else if (!isDecodable(request.raw.url)) {
      done(refuse('PARAMETER_INVALID', 'the query is not correctly percent-encoded'));
    } else if (loopbackOnly && !isLoopback(request.hostname)) {
      // A page of any site can have its name resolve to 127.0.0.1, and would be administrator here.
      done(refuse('NOT_ALLOWED', 'without authentication this service answers to localhost only'));
    } else done();
  });
  if (!logger.isLevelEnabled('debug')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, span } = request;
    const ms = Math.round(reply.elapsedTime);
    // Without the query and the headers: both may hold secrets.
    const line = { method, path: pathOf(request.originalUrl), status: reply.statusCode, ms, requestId };
    logger.debug(span === undefined ? line : { ...line, trace_id: span.traceId }, 'request');
    done();
  });
}

/** Lets the work for a request know when the client has gone. */
export function scopeRequests(server: FastifyInstance): void {
  server.decorateRequest('origin', {
    getter(this: FastifyRequest) {
      return originOf(this);
    },
  });
  // Not before the body was read: what its events call is not called from here.
  server.addHook('preValidation', (request, reply, done) => {
    const { principal } = request as AuthenticatedRequest;
    const caller = principal === undefined ? '' : callerOf(principal);
    inRequest(new RequestScope(reply.raw, () => request.origin, caller), done);
  });
}

/** What a worker serves: health and metrics. */
const OPERATIONS = /^\/+(health|metrics)(\/|$)/;

/** Whether a path is that of a health check or a scrape. */
export const isOperation = (path: string): boolean => OPERATIONS.test(path);

/** A worker has no API: a request for one is at the wrong process. */
export function serveOperationsOnly(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (isOperation(pathOf(request.originalUrl))) done();
    else done(refuse('ROUTE_UNKNOWN', 'this process is a worker: it answers /health and /metrics only'));
  });
}

/** The router checks the path; a query that cannot be decoded would reach the controllers as it is. */
function isDecodable(url: string | undefined): boolean {
  const question = url?.indexOf('?') ?? -1;
  if (url === undefined || question < 0 || url.indexOf('%', question) < 0) return true;
  try {
    decodeURIComponent(url.slice(question));
    return true;
  } catch {
    return false;
  }
}
