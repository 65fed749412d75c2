import type { ChangeType, HttpHeaders } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';

/** The parts of a request that a write needs. */
export interface RawRequest {
  readonly method: string;
  /** The request target as it came. */
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly body: unknown;
}

/** Of the query of a write. */
interface WriteValues {
  readonly async?: boolean | undefined;
  readonly systemMetadata?: boolean | undefined;
  readonly createIfNotExists?: boolean | undefined;
  readonly createIfEntityNotExists?: boolean | undefined;
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
export function readWrite(request: RawRequest, values: WriteValues, asyncByDefault: boolean): WriteCall {
  const { method, url, headers, body } = request;
  return {
    method,
    url,
    headers,
    body,
    changeType: readChangeType(values),
    mustExist: false,
    async: values.async ?? asyncByDefault,
    systemMetadata: values.systemMetadata ?? false,
  };
}

/** The same for a body that holds patches. */
export function readPatch(request: RawRequest, values: WriteValues, asyncByDefault: boolean): WriteCall {
  const { changeType, ...call } = readWrite(request, values, asyncByDefault);
  if (changeType === 'CREATE_ENTITY') {
    const message = 'a patch changes what is there: createIfEntityNotExists goes with POST';
    throw refuse('PARAMETER_INVALID', message, '/createIfEntityNotExists');
  }
  return { ...call, changeType: 'PATCH', mustExist: changeType === 'UPDATE' };
}

/** `createIfNotExists=false` only updates, `createIfEntityNotExists=true` only creates entities. */
function readChangeType({ createIfNotExists, createIfEntityNotExists = false }: WriteValues): ChangeType {
  if (!createIfEntityNotExists) return createIfNotExists === false ? 'UPDATE' : 'UPSERT';
  if (createIfNotExists !== false) return 'CREATE_ENTITY';
  const message = 'createIfEntityNotExists=true and createIfNotExists=false exclude each other';
  throw refuse('PARAMETER_INVALID', message, '/createIfEntityNotExists');
}
