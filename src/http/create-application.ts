import type { Abstract, DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server as HttpServer } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DirectRoute } from '../catalog/extension/direct-route.js';
import type { QuickRead } from '../catalog/extension/quick-read.js';
import { Meter } from '../catalog/metrics/index.js';
import type { Configuration } from '../config/configuration.js';
import { BearerGuard, SessionService } from '../modules/auth/index.js';
import { NO_TRACING, type Tracing } from '../catalog/tracing/index.js';
import { BackgroundThrottle, RATE_COUNTS, type RateCounts } from '../catalog/schedule/index.js';
import { registerBodyParsers } from './body-parsers.js';
import { allowOrigins } from './cross-origin.js';
import { compressAnswers } from './compression.js';
import { closeStalledAnswers } from './stalled-answers.js';
import { routedUrl } from './front-paths.js';
import { serveDirectRoutes } from './direct-routes.js';
import { drainConnections } from './draining.js';
import { ErrorFilter } from './error-filter.js';
import {
  admitRequests,
  answerBrokenRequests,
  BodyBudget,
  BodyTurns,
  limitConnections,
  RateLimits,
  RequestSlots,
  watchPressure,
} from './ingress/index.js';
import { createLogger, FrameworkLogger, meterLog } from './logging.js';
import { answerQuickReads } from './quick-reads.js';
import { registerRequestHooks, requestIdOf, scopeRequests, serveOperationsOnly } from './request-hooks.js';
import { meterRequests } from './request-metrics.js';
import { renewSessions } from './session-renewal.js';
import { limitTime } from './time-limit.js';
import { WebClient } from './web-client.js';
import { traceRequests } from './request-traces.js';
import { RouteTable } from './route-table.js';

/**
 * Longer than any URN that could be valid, percent-encoded: a URN that is too long is refused by the one who reads
 * it, with a message that says so.
 */
const MAX_PARAMETER_LENGTH = 16_384;

/** How long a client may take to send the headers of a request, and how long a whole request: milliseconds. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
/** What may pass by unread of the body of a refused request at least, before the connection is closed: bytes. */
const UNREAD_BYTES = 16 * 1024 ** 2;
/** How often connections are looked at that take too long, milliseconds. */
const CHECK_MS = 5_000;

export type HttpConfiguration = Pick<Configuration, 'auth' | 'bodyLimit' | 'logLevel' | 'recordNamespace'> &
  Partial<
    Pick<
      Configuration,
      | 'role'
      | 'queryBodyLimit'
      | 'bodyMemory'
      | 'tokenRequests'
      | 'connectionsPerAddress'
      | 'requests'
      | 'trustedProxies'
      | 'idleSeconds'
      | 'compressFrom'
      | 'corsOrigins'
      | 'shedDelayMs'
      | 'rateLimit'
      | 'requestTimeoutMs'
      | 'webClient'
    >
  >;

/** The HTTP application around `module`. `listen` (or `init`) starts it; plugins may be registered until then. */
export async function createApplication(
  module: Type | DynamicModule,
  configuration: HttpConfiguration,
  logger: Logger = createLogger(configuration.logLevel),
  tracing: Tracing = NO_TRACING,
): Promise<NestFastifyApplication> {
  const { auth, bodyLimit, recordNamespace, rateLimit, requests = Infinity } = configuration;
  const { connectionsPerAddress = 0, shedDelayMs = Infinity, trustedProxies = [] } = configuration;
  const routes = new RouteTable();
  const errors = new ErrorFilter(recordNamespace, routes, logger, Math.max(2 * bodyLimit, UNREAD_BYTES));
  const limits = {
    writes: bodyLimit,
    others: Math.min(bodyLimit, configuration.queryBodyLimit ?? bodyLimit),
  };
  const budget = new BodyBudget(Math.max(bodyLimit, configuration.bodyMemory ?? Infinity));
  const adapter = new FastifyAdapter(serverOptions(configuration, errors));
  const server: FastifyInstance = adapter.getInstance();
  limitConnections(server, connectionsPerAddress, trustedProxies, recordNamespace);
  closeStalledAnswers(server);
  traceRequests(server, tracing);
  registerRequestHooks(server, logger, auth === 'off', drainConnections(server));
  registerBodyParsers(server, budget, new BodyTurns(bodyLimit));
  compressAnswers(server, configuration.compressFrom ?? Infinity, logger);
  scopeRequests(server);
  if (configuration.role === 'worker') serveOperationsOnly(server);
  const application = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new FrameworkLogger(logger),
  });
  allowOrigins(application, configuration.corsOrigins ?? []);
  const meter = provided(application, Meter);
  if (meter !== undefined) {
    meterRequests(server, meter);
    meterLog(meter);
  }
  admitRequests(server, {
    routes,
    guard: provided(application, BearerGuard),
    throttle: provided(application, BackgroundThrottle),
    limits,
    anyContentType: auth === 'on',
    budget,
    rates:
      rateLimit && (await RateLimits.on(server, rateLimit, provided<RateCounts>(application, RATE_COUNTS))),
    pages: configuration.webClient === undefined ? undefined : await WebClient.in(configuration.webClient),
    slots: new RequestSlots(configuration.tokenRequests ?? Infinity),
    requests,
    pressure: watchPressure(server, shedDelayMs),
  });
  const sessions = provided(application, SessionService);
  if (sessions !== undefined) renewSessions(server, sessions, logger);
  answerQuickReads(server, (type) => provided<QuickRead>(application, type));
  serveDirectRoutes(server, (type) => provided<DirectRoute>(application, type));
  limitTime(server, configuration.requestTimeoutMs ?? Infinity, errors);
  application.useGlobalFilters(errors);
  application.enableShutdownHooks();
  return application;
}

function serverOptions(
  { recordNamespace, idleSeconds = 30, trustedProxies = [] }: HttpConfiguration,
  errors: ErrorFilter,
): FastifyHttpOptions<HttpServer> {
  return {
    frameworkErrors: (error, request, reply) => errors.answer(error, request, reply),
    clientErrorHandler: answerBrokenRequests(recordNamespace),
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS },
    keepAliveTimeout: idleSeconds * 1000,
    requestTimeout: REQUEST_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    rewriteUrl: routedUrl,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      caseSensitive: true,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
  };
}

function provided<T>(application: NestFastifyApplication, token: Abstract<T> | symbol): T | undefined {
  try {
    return application.get<T>(token, { strict: false });
  } catch {
    return undefined;
  }
}
