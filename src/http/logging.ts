import type { LoggerService } from '@nestjs/common';
import { pino, stdSerializers, type Logger } from 'pino';
import type { Meter } from '../catalog/metrics/index.js';
import { NO_TRACING, type Tracing } from '../catalog/tracing/index.js';
import { standardOutput } from './log-destination.js';

/** The log: one JSON object per line on standard output. Writing it never blocks. Lines name the trace they belong to. */
export function createLogger(level: string, tracing: Tracing = NO_TRACING): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
      ...(tracing.on && { mixin: () => tracing.logFields() }),
    },
    standardOutput(),
  );
}

/** Shows how much of the log was dropped. */
export function meterLog(meter: Meter): void {
  const name = 'catalog_log_lines_dropped_total';
  standardOutput().meter(meter.counter({ name, help: 'Lines of the log that found no room' }));
}

/** Who logs an error in Nest that is thrown as well: what builds the application, and what listens. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

/** Nest's own messages, in the same log. Its "log" is chatter about modules and routes, hence debug. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(contextOf(rest), text(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(contextOf(rest), text(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(contextOf(rest), text(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(contextOf(rest), text(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    // What stops the start is also thrown, and the code that catches it says it better.
    const context = contextOf(rest);
    if (THROWN.has(context.context)) return;
    this.logger.error({ ...context, ...errorOf(message, rest) }, text(message));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ ...contextOf(rest), ...errorOf(message, rest) }, text(message));
  }
}

/** Nest passes the name of the class as the last parameter. The bundler puts `_` before those that name themselves. */
function contextOf(rest: readonly unknown[]): { context?: string } {
  const last = rest.at(-1);
  return typeof last === 'string' && !last.includes('\n') ? { context: last.replace(/^_/, '') } : {};
}

function errorOf(message: unknown, rest: readonly unknown[]): { err?: unknown; stack?: string } {
  if (message instanceof Error) return { err: message };
  const stack = rest.find((part) => typeof part === 'string' && part.includes('\n'));
  return stack === undefined ? {} : { stack: stack as string };
}

function text(message: unknown): string {
  return message instanceof Error
    ? message.message
    : typeof message === 'string'
      ? message
      : JSON.stringify(message);
}
