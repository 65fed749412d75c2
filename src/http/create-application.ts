import type { Abstract, DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Meter } from '../catalog/metrics/index.js';
import type { Configuration } from '../config/configuration.js';
import { Courtesy } from '../modules/ingest/index.js';
import { registerBodyParsers } from './body-parsers.js';
import { ErrorFilter } from './error-filter.js';
import { createLogger, FrameworkLogger } from './logging.js';
import { noticeRequests, registerRequestHooks, requestIdOf, serveOperationsOnly } from './request-hooks.js';
import { meterRequests } from './request-metrics.js';
import { RouteTable } from './route-table.js';

/**
 * Longer than any URN that could be valid, percent-encoded: a URN that is too long is refused by the one who reads
 * it, with a message that says so.
 */
const MAX_PARAMETER_LENGTH = 16_384;

/** Longer than the usual minute of load balancers, so that it is never us who closes a connection under a request. */
const KEEP_ALIVE_MS = 72_000;
/** How long a client may take to send a whole request. */
const REQUEST_MS = 120_000;

export type HttpConfiguration = Pick<Configuration, 'auth' | 'bodyLimit' | 'logLevel' | 'recordNamespace'> &
  Partial<Pick<Configuration, 'role'>>;

/** The HTTP application around `module`. `listen` (or `init`) starts it; plugins may be registered until then. */
export async function createApplication(
  module: Type | DynamicModule,
  configuration: HttpConfiguration,
  logger: Logger = createLogger(configuration.logLevel),
): Promise<NestFastifyApplication> {
  const routes = new RouteTable();
  const errors = new ErrorFilter(configuration.recordNamespace, routes, logger);
  const adapter = new FastifyAdapter({
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      errors.answer(error, request, reply),
    bodyLimit: configuration.bodyLimit,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      caseSensitive: true,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
  });
  const server: FastifyInstance = adapter.getInstance();
  server.addHook('onRoute', ({ method, url }) => routes.add(method, url));
  registerBodyParsers(server);
  registerRequestHooks(server, logger, configuration.auth === 'off');
  if (configuration.role === 'worker') serveOperationsOnly(server);
  const application = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new FrameworkLogger(logger),
  });
  const meter = provided(application, Meter);
  if (meter !== undefined) meterRequests(server, meter);
  const courtesy = provided(application, Courtesy);
  if (courtesy !== undefined) noticeRequests(server, courtesy);
  application.useGlobalFilters(errors);
  application.enableShutdownHooks();
  return application;
}

function provided<T>(application: NestFastifyApplication, token: Abstract<T>): T | undefined {
  try {
    return application.get<T>(token, { strict: false });
  } catch {
    return undefined;
  }
}
