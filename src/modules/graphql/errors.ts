import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { CatalogError, ERROR_CODES, type ErrorCode, type ErrorKind } from '../../catalog/errors/index.js';

/** Number and name of each kind (the error table of the decisions). */
const KINDS: Readonly<Record<ErrorKind, readonly [code: number, type: string]>> = {
  malformed: [400, 'BAD_REQUEST'],
  invalid: [400, 'BAD_REQUEST'],
  unauthenticated: [401, 'UNAUTHENTICATED'],
  forbidden: [403, 'UNAUTHORIZED'],
  'not-found': [404, 'NOT_FOUND'],
  conflict: [409, 'CONFLICT'],
  precondition: [409, 'CONFLICT'],
  'too-large': [413, 'TOO_LARGE'],
  'too-many': [429, 'TOO_MANY_REQUESTS'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
  internal: [500, 'SERVER_ERROR'],
};

type Classification = 'DataFetchingException' | 'InvalidSyntax' | 'ValidationError';

/** An error of the engine, or of its compiled queries, whose errors are of a class of their own. */
export type EngineError = Pick<GraphQLError, 'message' | 'locations' | 'path'> & {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly originalError?: unknown;
};

/** What was thrown below an error of the engine; the error itself where that is all there is. */
export function thrownBy(error: EngineError): unknown {
  let thrown: unknown = error;
  while (isEngineError(thrown) && thrown.originalError) thrown = thrown.originalError;
  return thrown;
}

function isEngineError(error: unknown): error is EngineError {
  return error instanceof Error && 'originalError' in error;
}

/** An error of a resolver as callers see it: our own in full, anything else as an internal error without its text. */
export function fetchingError(error: EngineError, requestId: string): GraphQLFormattedError {
  // Only what happens while fields are resolved has a place in the answer.
  if (error.path === undefined) return documentError(error);
  const thrown = thrownBy(error);
  const own = thrown instanceof CatalogError && thrown.kind !== 'internal' ? thrown : undefined;
  const code = own?.code ?? 'INTERNAL';
  const message =
    own?.message ?? `internal error; the log of the service has it under the request id ${requestId}`;
  const [first] = own?.errors ?? [];
  return shown(error, message, code, 'DataFetchingException', first?.pointer, own?.errors, own?.retryAfter);
}

/** An error of the document or its variables: nothing was executed. */
export function documentError(error: EngineError): GraphQLFormattedError {
  const thrown = thrownBy(error);
  const own = thrown instanceof CatalogError ? thrown : undefined;
  const syntax = error.message.startsWith('Syntax Error');
  const coded = error.extensions?.['errorCode'];
  const tooLong = syntax && error.message.includes('Parsing aborted');
  const known = typeof coded === 'string' ? (coded as ErrorCode) : undefined;
  const code = own?.code ?? known ?? (tooLong ? 'GRAPHQL_TOO_COSTLY' : 'GRAPHQL_INVALID');
  const late = code === 'GRAPHQL_TIMEOUT';
  const classification = late ? 'DataFetchingException' : syntax ? 'InvalidSyntax' : 'ValidationError';
  return shown(error, error.message, code, classification, own?.errors[0]?.pointer);
}

function shown(
  error: EngineError,
  message: string,
  errorCode: ErrorCode,
  classification: Classification,
  pointer?: string,
  errors: CatalogError['errors'] = [],
  retryAfter?: number,
): GraphQLFormattedError {
  const [code, type] = KINDS[ERROR_CODES[errorCode]];
  return {
    message,
    ...(error.locations && error.locations.length > 0 ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    extensions: {
      code,
      type,
      classification,
      errorCode,
      ...(pointer === undefined ? {} : { pointer }),
      ...(errors.length > 1 ? { errors } : {}),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  };
}
