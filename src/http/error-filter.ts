import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ERROR_CODES } from '../catalog/errors/index.js';
import { errorAnswer } from './error-body.js';
import { failureOf, type Failure } from './failure.js';
import { discardBody } from './ingress/index.js';
import type { RouteTable } from './route-table.js';
import { pathOf, surfaceOf } from './surface.js';

/** The one place where anything thrown while a request is handled becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly recordNamespace: string,
    private readonly routes: RouteTable,
    private readonly logger: Logger,
    /** How many bytes of a refused body may pass by unread before the connection is closed. */
    private readonly unreadLimit: number,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    // Resolvers of other transports have their own error shape.
    if (host.getType() !== 'http') throw exception;
    const http = host.switchToHttp();
    this.answer(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also called for what goes wrong before a request is routed, when there is no context to catch in yet. */
  answer(exception: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request.originalUrl);
    let failure = failureOf(exception);
    let allow: string[] | undefined;
    // Our own code says what is missing with a CatalogError, so this one comes from the router.
    if (exception instanceof NotFoundException || (request.is404 && comesAfterRoute(exception, failure))) {
      failure = {
        code: 'ROUTE_UNKNOWN',
        message: `there is no endpoint ${request.method} ${path}${path === '/graphql' ? '; GraphQL is at /api/graphql' : ''}`,
        errors: [],
      };
      allow = this.routes.methodsFor(pathOf(request.url));
    }
    if (failure === undefined) {
      const { method, id: requestId, span } = request;
      const trace = span === undefined ? {} : { trace_id: span.traceId };
      this.logger.error({ err: exception, requestId, method, path, ...trace }, 'request failed');
    }
    if (reply.sent || reply.raw.headersSent) return;
    const { status, headers, body } = errorAnswer(failure, {
      surface: surfaceOf(request.url),
      requestId: request.id,
      traceId: request.span?.traceId,
      recordNamespace: this.recordNamespace,
      ...(allow?.length ? { allow } : {}),
    });
    discardBody(request.raw, this.unreadLimit);
    void reply.code(status).headers(headers).send(JSON.stringify(body));
  }
}

/**
 * Whether "there is no such route" is the answer to a request that failed before a route was looked for. It is not
 * where the path cannot be decoded, the caller is unknown or sends too much, or no request is answered now.
 */
function comesAfterRoute(exception: unknown, failure: Failure | undefined): boolean {
  if ((exception as { code?: unknown } | null)?.code === 'FST_ERR_BAD_URL') return false;
  const kind = ERROR_CODES[failure?.code ?? 'INTERNAL'];
  return kind !== 'unauthenticated' && kind !== 'too-many' && kind !== 'unavailable';
}
