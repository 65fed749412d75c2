import { HttpException } from '@nestjs/common';
import { CatalogError, type ErrorCode, type ErrorDetail } from '../catalog/errors/index.js';

/** What a request failed with, in the service's own words, whatever threw it. */
export interface Failure {
  code: ErrorCode;
  message: string;
  errors: readonly ErrorDetail[];
  /** Seconds. */
  retryAfter?: number | undefined;
  /** Where it is another than that of the code. */
  status?: number;
}

/** A body whose form cannot be read, whatever it says: 415. Inside a body, the code stands for a malformed part. */
export class UnsupportedBody extends CatalogError {
  constructor(message: string) {
    super('MEDIA_TYPE_UNSUPPORTED', message);
  }
}

/** Codes of the HTTP layer below us, and what they mean here. */
const FRAMEWORK: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['PARAMETER_INVALID', 'the path is not correctly percent-encoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['PARAMETER_INVALID', 'the path is too long'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', 'the body is larger than the limit of this service'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['MEDIA_TYPE_UNSUPPORTED', 'send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['PARAMETER_INVALID', 'the body is not as long as Content-Length says'],
};

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'TOKEN_INVALID',
  403: 'NOT_ALLOWED',
  404: 'ROUTE_UNKNOWN',
  405: 'ROUTE_UNKNOWN',
  412: 'PRECONDITION_FAILED',
  413: 'BODY_TOO_LARGE',
  415: 'MEDIA_TYPE_UNSUPPORTED',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** Undefined for everything unforeseen: that is our fault, and its text is not for the caller. */
export function failureOf(exception: unknown): Failure | undefined {
  if (exception instanceof CatalogError) {
    const { code, kind, message, errors, retryAfter } = exception;
    if (kind === 'internal') return undefined;
    return {
      code,
      message,
      errors,
      retryAfter,
      ...(exception instanceof UnsupportedBody && { status: 415 }),
    };
  }
  const framework = FRAMEWORK[codeOf(exception) ?? codeOf((exception as Error | undefined)?.cause) ?? ''];
  if (framework) {
    const [code, message] = framework;
    return { code, message, errors: [], ...(code === 'MEDIA_TYPE_UNSUPPORTED' && { status: 415 }) };
  }
  const status = exception instanceof HttpException ? exception.getStatus() : clientStatusOf(exception);
  if (status === undefined) return undefined;
  const code = BY_STATUS[status] ?? (status < 500 ? 'PARAMETER_INVALID' : undefined);
  return (
    code && {
      code,
      message: status === 503 ? 'the service is not available now' : (exception as Error).message,
      errors: [],
    }
  );
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Status of an error of the HTTP layer that blames the client; other errors may carry a `statusCode` by chance. */
function clientStatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !codeOf(error)?.startsWith('FST_')) return undefined;
  const status = (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
