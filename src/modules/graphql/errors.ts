import { GraphQLError, type GraphQLFormattedError } from 'graphql';
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

export type Classification = 'DataFetchingException' | 'InvalidSyntax' | 'ValidationError';

/** What was thrown while a field was resolved. */
export function thrownBy(error: GraphQLError): unknown {
  let thrown: unknown = error;
  while (thrown instanceof GraphQLError && thrown.originalError) thrown = thrown.originalError;
  return thrown;
}

/** An error of a resolver as callers see it: our own in full, anything else as an internal error without its text. */
export function fetchingError(error: GraphQLError, requestId: string): GraphQLFormattedError {
  const thrown = thrownBy(error);
  const own = thrown instanceof CatalogError && thrown.kind !== 'internal' ? thrown : undefined;
  // Raised by the engine itself: a value that does not fit the schema, a variable that is none.
  if (!own && thrown instanceof GraphQLError) return documentError(error);
  const code = own?.code ?? 'INTERNAL';
  const message =
    own?.message ?? `internal error; the log of the service has it under the request id ${requestId}`;
  const [first] = own?.errors ?? [];
  return shown(error, message, code, 'DataFetchingException', first?.pointer, own?.errors);
}

/** An error of the document or its variables: nothing was executed. */
export function documentError(error: GraphQLError): GraphQLFormattedError {
  const thrown = thrownBy(error);
  const own = thrown instanceof CatalogError ? thrown : undefined;
  const syntax = error.message.startsWith('Syntax Error');
  const coded = error.extensions['errorCode'];
  const code = own?.code ?? (typeof coded === 'string' ? (coded as ErrorCode) : 'GRAPHQL_INVALID');
  return shown(error, own?.message ?? error.message, code, syntax ? 'InvalidSyntax' : 'ValidationError');
}

function shown(
  error: GraphQLError,
  message: string,
  errorCode: ErrorCode,
  classification: Classification,
  pointer?: string,
  errors: CatalogError['errors'] = [],
): GraphQLFormattedError {
  const [code, type] = KINDS[ERROR_CODES[errorCode]];
  return {
    message,
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    extensions: {
      code,
      type,
      classification,
      errorCode,
      ...(pointer === undefined ? {} : { pointer }),
      ...(errors.length > 1 ? { errors } : {}),
    },
  };
}
