import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { errorAnswer } from './error-body.js';
import { failureOf } from './failure.js';
import type { RouteTable } from './route-table.js';
import { pathOf, surfaceOf } from './surface.js';

/** The one place where anything thrown while a request is handled becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly recordNamespace: string,
    private readonly routes: RouteTable,
    private readonly logger: Logger,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    // Resolvers of other transports have their own error shape.
    if (host.getType() !== 'http') throw exception;
    const http = host.switchToHttp();
    this.answer(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also called for what goes wrong before a request is routed, when there is no context to catch in yet. */
  answer(exception: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const url = request.originalUrl;
    const path = pathOf(url);
    let failure = failureOf(exception);
    let allow: string[] | undefined;
    // Our own code says what is missing with a CatalogError, so this one comes from the router.
    // Whatever else is wrong with a request that no route is for: that comes first.
    if (exception instanceof NotFoundException || (request.is404 && !isBadPath(exception))) {
      failure = {
        code: 'ROUTE_UNKNOWN',
        message: `there is no endpoint ${request.method} ${path}`,
        errors: [],
      };
      allow = this.routes.methodsFor(path);
    }
    if (failure === undefined) {
      const { method, id: requestId } = request;
      this.logger.error({ err: exception, requestId, method, path }, 'request failed');
    }
    if (reply.sent || reply.raw.headersSent) return;
    const { status, headers, body } = errorAnswer(failure, {
      surface: surfaceOf(url),
      requestId: request.id,
      recordNamespace: this.recordNamespace,
      ...(allow?.length ? { allow } : {}),
    });
    void reply.code(status).headers(headers).send(JSON.stringify(body));
  }
}

/** A path that cannot be decoded leads to no route, but that is not what is wrong with it. */
function isBadPath(exception: unknown): boolean {
  return (exception as { code?: unknown } | null)?.code === 'FST_ERR_BAD_URL';
}
