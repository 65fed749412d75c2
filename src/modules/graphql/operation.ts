import { refuse } from '../../catalog/errors/index.js';
import { isRecord } from '../../catalog/model/index.js';

/** One request of GraphQL over HTTP. */
export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/**
 * Reads a request body. Members that are null count as absent; `extensions` and others are allowed and ignored.
 * @throws CatalogError PARAMETER_INVALID, PARAMETER_MISSING
 */
export function readOperation(body: unknown): Operation {
  if (Array.isArray(body)) {
    throw refuse('PARAMETER_INVALID', 'one operation a request: a list of operations is not supported', '');
  }
  if (!isRecord(body)) {
    throw refuse('PARAMETER_MISSING', 'the body must be a JSON object with "query"', '/query');
  }
  const { query, variables, operationName } = body;
  if (query === undefined || query === null)
    throw refuse('PARAMETER_MISSING', '"query" is missing', '/query');
  if (typeof query !== 'string' || query.trim() === '') {
    throw refuse('PARAMETER_INVALID', '"query" must be a GraphQL document', '/query');
  }
  if (variables !== undefined && variables !== null && !isRecord(variables)) {
    throw refuse('PARAMETER_INVALID', '"variables" must be an object', '/variables');
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw refuse('PARAMETER_INVALID', '"operationName" must be a string', '/operationName');
  }
  // Clients send an empty name when there is only one operation.
  return { query, variables: variables ?? {}, operationName: operationName || undefined };
}
