import { STATUS_CODES } from 'node:http';
import {
  ERROR_CODES,
  STATUS_BY_CODE,
  STATUS_BY_KIND,
  type ErrorKind,
  type Surface,
} from '../catalog/errors/index.js';
import type { Failure } from './failure.js';

interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

interface ErrorContext {
  surface: Surface;
  requestId: string;
  /** Of a request that is traced. */
  traceId?: string | undefined;
  recordNamespace: string;
  /** Methods that the path knows, where only the method was wrong. */
  allow?: readonly string[];
}

/** When a client should try again, seconds. */
const RETRY_AFTER: Partial<Record<ErrorKind, string>> = { 'too-many': '1', unavailable: '5' };

/** Short words that existing clients of the OpenAPI surface look for in `error`; otherwise it repeats the message. */
const ERROR_WORDS: Partial<Record<ErrorKind, string>> = {
  invalid: 'Validation Error',
  conflict: 'Validation Error',
  forbidden: 'Authorization Error',
  precondition: 'Precondition Error',
};

const NOT_FOUND_REASONS: Readonly<Record<string, string>> = {
  ENTITY_NOT_FOUND: 'ENTITY',
  ASPECT_NOT_FOUND: 'ASPECT',
  VERSION_NOT_FOUND: 'ASPECT',
};

/** The answer for a failure; undefined stands for our own fault, of which a caller learns the request id only. */
export function errorAnswer(failure: Failure | undefined, context: ErrorContext): ErrorAnswer {
  const { surface, requestId } = context;
  const trace = context.traceId === undefined ? {} : { traceId: context.traceId };
  const code = failure?.code ?? 'INTERNAL';
  const kind = ERROR_CODES[code];
  const status = context.allow
    ? 405
    : (failure?.status ?? STATUS_BY_CODE[code] ?? STATUS_BY_KIND[kind][surface]);
  const message =
    failure?.message ?? `internal error; the log of the service has it under the request id ${requestId}`;
  const errors = failure?.errors ?? [];
  return {
    status,
    headers: headersOf(code, kind, context, failure?.retryAfter),
    body:
      surface === 'aspect-api'
        ? {
            exceptionClass: `${context.recordNamespace}.restli.server.RestLiServiceException`,
            message,
            status,
            code,
            requestId,
            ...trace,
            errors,
          }
        : {
            type: 'about:blank',
            title: STATUS_CODES[status] ?? 'Error',
            status,
            detail: message,
            code,
            requestId,
            ...trace,
            errors,
            error: ERROR_WORDS[kind] ?? message,
            message,
          },
  };
}

function headersOf(
  code: string,
  kind: ErrorKind,
  context: ErrorContext,
  after?: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': context.surface === 'aspect-api' ? 'application/json' : 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': context.requestId,
  };
  if (kind === 'unauthenticated' && code !== 'CREDENTIALS_INVALID') {
    headers['www-authenticate'] = code === 'TOKEN_MISSING' ? 'Bearer' : 'Bearer error="invalid_token"';
  }
  const retryAfter = after === undefined ? RETRY_AFTER[kind] : String(after);
  if (retryAfter) headers['retry-after'] = retryAfter;
  const reason = NOT_FOUND_REASONS[code];
  if (reason && context.surface === 'openapi') headers['not-found-reason'] = reason;
  if (context.allow) headers['allow'] = context.allow.join(', ');
  return headers;
}
