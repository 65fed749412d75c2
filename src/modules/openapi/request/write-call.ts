import type { ChangeType } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { Parameters } from '../../../catalog/restli/index.js';
import type { Operation } from './operation-parameters.js';
import { parametersOf, type Query } from './query.js';
import type { HttpHeaders } from './write-headers.js';

/** The parts of a request that a write needs. */
export interface RawRequest {
  readonly method: string;
  /** The request target as it came. */
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly query: unknown;
  readonly body: unknown;
}

/** A write as it was asked for over HTTP. */
export interface WriteCall {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly body: unknown;
  readonly changeType: ChangeType;
  /** Of patches: whether what is patched must be there. */
  readonly mustExist: boolean;
  /** Whether it may be carried out after the answer. */
  readonly async: boolean;
  readonly systemMetadata: boolean;
}

/** @param asyncByDefault what holds when the request does not say. */
export function readWrite(
  request: RawRequest,
  asyncByDefault: boolean,
  operation: Operation = 'write',
): WriteCall {
  const parameters = parametersOf(request.query as Query, operation);
  const { method, url, headers, body } = request;
  return {
    method,
    url,
    headers,
    body,
    changeType: readChangeType(parameters),
    mustExist: false,
    async: parameters.flag('async') ?? asyncByDefault,
    systemMetadata: parameters.flag('systemMetadata') ?? false,
  };
}

/** The same for a body that holds patches. */
export function readPatch(request: RawRequest, asyncByDefault: boolean): WriteCall {
  const { changeType, ...call } = readWrite(request, asyncByDefault);
  if (changeType === 'CREATE_ENTITY') {
    const message = 'a patch changes what is there: createIfEntityNotExists goes with POST';
    throw refuse('PARAMETER_INVALID', message, '/createIfEntityNotExists');
  }
  return { ...call, changeType: 'PATCH', mustExist: changeType === 'UPDATE' };
}

/**
 * `createIfNotExists=false` only updates, `createIfEntityNotExists=true` only creates entities.
 * `createEntityIfNotExists` is how some clients write the latter; it has no meaning of its own.
 */
function readChangeType(parameters: Parameters): ChangeType {
  const create = parameters.flag('createIfNotExists') ?? true;
  const newEntity = parameters.flag('createIfEntityNotExists') ?? false;
  parameters.flag('createEntityIfNotExists');
  if (newEntity && parameters.get('createIfNotExists') !== undefined && !create) {
    const message = 'createIfEntityNotExists=true and createIfNotExists=false exclude each other';
    throw refuse('PARAMETER_INVALID', message, '/createIfEntityNotExists');
  }
  return newEntity ? 'CREATE_ENTITY' : create ? 'UPSERT' : 'UPDATE';
}
