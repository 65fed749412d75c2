/**
 * What went wrong, in the words of the domain. Every code of {@link ERROR_CODES} belongs to one kind,
 * and each surface maps kinds (never codes) to its own status: see {@link STATUS_BY_KIND}.
 */
export type ErrorKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'too-large'
  | 'too-many'
  | 'unavailable'
  | 'internal';

/** The one catalogue of error codes of the service. Codes are part of the contract: add, never rename. */
export const ERROR_CODES = {
  JSON_MALFORMED: 'malformed',
  JSON_TOO_DEEP: 'malformed',
  JSON_FORBIDDEN_KEY: 'malformed',
  NUMBER_OUT_OF_RANGE: 'malformed',
  TEXT_MALFORMED: 'malformed',
  MEDIA_TYPE_UNSUPPORTED: 'malformed',
  PARAMETER_INVALID: 'malformed',
  PARAMETER_MISSING: 'malformed',
  PROTOCOL_VERSION_MISSING: 'malformed',
  ACTION_UNKNOWN: 'malformed',
  URN_MALFORMED: 'malformed',
  ENTITY_UNKNOWN: 'malformed',
  ASPECT_UNKNOWN: 'malformed',
  ASPECT_KIND_WRONG: 'malformed',
  PROPOSAL_MALFORMED: 'malformed',
  PATCH_MALFORMED: 'malformed',
  FILTER_INVALID: 'malformed',
  QUERY_SYNTAX: 'malformed',
  // The same request costs the same later: to try again makes no sense, so it is not "unavailable".
  SEARCH_TOO_COSTLY: 'malformed',
  GRAPHQL_INVALID: 'malformed',
  GRAPHQL_TOO_COSTLY: 'malformed',
  ASPECT_INVALID: 'invalid',
  PATCH_NOT_APPLICABLE: 'invalid',
  REFERENCE_MISSING: 'invalid',
  RULE_VIOLATED: 'invalid',
  COLUMN_UNKNOWN: 'invalid',
  NAME_TAKEN: 'invalid',
  TOKEN_MISSING: 'unauthenticated',
  TOKEN_INVALID: 'unauthenticated',
  TOKEN_EXPIRED: 'unauthenticated',
  // The same for an unknown user and a wrong password. The status is the one that clients of the field expect.
  CREDENTIALS_INVALID: 'unauthenticated',
  NOT_ALLOWED: 'forbidden',
  ROUTE_UNKNOWN: 'not-found',
  ENTITY_NOT_FOUND: 'not-found',
  ASPECT_NOT_FOUND: 'not-found',
  VERSION_NOT_FOUND: 'not-found',
  TOKEN_NOT_FOUND: 'not-found',
  LINK_NOT_FOUND: 'not-found',
  FILE_NOT_FOUND: 'not-found',
  RECEIPT_NOT_FOUND: 'not-found',
  QUEUE_NOT_FOUND: 'not-found',
  CURSOR_EXPIRED: 'not-found',
  WEBHOOK_NOT_FOUND: 'not-found',
  FEED_CONSUMER_NOT_FOUND: 'not-found',
  ASPECT_EXISTS: 'conflict',
  ENTITY_EXISTS: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  PRECONDITION_FAILED: 'precondition',
  BODY_TOO_LARGE: 'too-large',
  BATCH_TOO_LARGE: 'too-large',
  PATCH_TOO_LARGE: 'too-large',
  ASPECT_TOO_LARGE: 'too-large',
  TOO_MANY_REQUESTS: 'too-many',
  SERVICE_UNAVAILABLE: 'unavailable',
  SEARCH_UNAVAILABLE: 'unavailable',
  GRAPHQL_TIMEOUT: 'unavailable',
  REQUEST_MALFORMED: 'malformed',
  REQUEST_TIMEOUT: 'malformed',
  HEADERS_TOO_LARGE: 'too-large',
  JSON_TOO_MANY_VALUES: 'too-large',
  REQUEST_ABANDONED: 'unavailable',
  DEADLINE_EXCEEDED: 'unavailable',
  INTERNAL: 'internal',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;

export type Surface = 'openapi' | 'aspect-api';

/** HTTP status of each kind on each REST surface (the error table of the decisions). */
export const STATUS_BY_KIND: Record<ErrorKind, Record<Surface, number>> = {
  malformed: { openapi: 400, 'aspect-api': 400 },
  invalid: { openapi: 400, 'aspect-api': 422 },
  unauthenticated: { openapi: 401, 'aspect-api': 401 },
  forbidden: { openapi: 403, 'aspect-api': 403 },
  'not-found': { openapi: 404, 'aspect-api': 404 },
  conflict: { openapi: 409, 'aspect-api': 409 },
  precondition: { openapi: 412, 'aspect-api': 412 },
  'too-large': { openapi: 413, 'aspect-api': 413 },
  'too-many': { openapi: 429, 'aspect-api': 429 },
  unavailable: { openapi: 503, 'aspect-api': 503 },
  internal: { openapi: 500, 'aspect-api': 500 },
};

/** Codes with a status of their own. */
export const STATUS_BY_CODE: Partial<Record<ErrorCode, number>> = {
  IDEMPOTENCY_KEY_REUSED: 422,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  CURSOR_EXPIRED: 410,
  CREDENTIALS_INVALID: 400,
};
