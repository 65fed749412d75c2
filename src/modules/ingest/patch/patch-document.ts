import { CatalogError, refuse, type ErrorDetail } from '../../../catalog/errors/index.js';
import { isRecord, type ArrayKeys } from '../../../catalog/model/index.js';

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

export interface PatchOperation {
  op: (typeof OPERATIONS)[number];
  /** Unescaped segments of the JSON pointer. */
  path: string[];
  /** For move and copy. */
  from?: string[];
  value?: unknown;
}

/** A patch as a client sends it, checked. */
export interface PatchDocument {
  operations: PatchOperation[];
  /** Keys that came with the patch, by the name (or /-separated path) of the array. */
  arrayKeys: Map<string, ArrayKeys>;
  /** JSON pointer of the list of operations. */
  at: '' | '/patch';
}

/** Separates the parts of a nested key in `arrayPrimaryKeys`, e.g. `attribution␟source`. */
const KEY_PATH_SEPARATOR = '\u241f';

/** The most operations of one patch. */
const MAX_OPERATIONS = 10_000;

/**
 * Reads `{patch: [...], arrayPrimaryKeys?, forceGenericPatch?}` or a bare list of operations (RFC 6902).
 * @throws CatalogError PATCH_MALFORMED with a pointer to each place that is wrong.
 */
export function readPatchDocument(body: unknown): PatchDocument {
  if (Array.isArray(body)) return { operations: readOperations(body, ''), arrayKeys: new Map(), at: '' };
  if (!isRecord(body))
    throw refuse('PATCH_MALFORMED', 'a patch is a list of operations or an object that holds one', '');
  for (const name of Object.keys(body)) {
    if (!['patch', 'arrayPrimaryKeys', 'forceGenericPatch'].includes(name)) {
      throw refuse('PATCH_MALFORMED', `a patch has no field "${name}"`, `/${name}`);
    }
  }
  if (!Array.isArray(body['patch']))
    throw refuse('PATCH_MALFORMED', 'patch must be an array of operations', '/patch');
  return {
    operations: readOperations(body['patch'], '/patch'),
    arrayKeys: readArrayKeys(body['arrayPrimaryKeys']),
    at: '/patch',
  };
}

function readOperations(list: unknown[], pointer: string): PatchOperation[] {
  if (list.length > MAX_OPERATIONS) {
    throw refuse('BATCH_TOO_LARGE', `a patch has at most ${MAX_OPERATIONS} operations`, pointer);
  }
  const faults: ErrorDetail[] = [];
  const operations = list.map((item, i) => {
    const result = readOperation(item);
    if (typeof result !== 'string') {
      refusePrototype(result.path, `${pointer}/${i}/path`);
      if (result.from) refusePrototype(result.from, `${pointer}/${i}/from`);
      return result;
    }
    faults.push({ pointer: `${pointer}/${i}`, message: result });
    return undefined;
  });
  if (faults.length > 0) {
    throw new CatalogError('PATCH_MALFORMED', faults[0]?.message ?? '', faults.slice(0, 20));
  }
  return operations.filter((operation) => operation !== undefined);
}

function readOperation(item: unknown): PatchOperation | string {
  if (!isRecord(item)) return 'an operation is an object with op and path';
  const op = OPERATIONS.find((known) => known === item['op']);
  if (op === undefined) return `op must be one of ${OPERATIONS.join(', ')}`;
  const path = segments(item['path']);
  if (path === undefined) return 'path must be a JSON pointer: empty, or starting with "/"';
  if (op === 'move' || op === 'copy') {
    const from = segments(item['from']);
    return from === undefined ? `${op} needs from, a JSON pointer` : { op, path, from };
  }
  // A remove may carry a value, which is ignored.
  if (op === 'remove') return { op, path };
  return 'value' in item ? { op, path, value: item['value'] } : `${op} needs a value`;
}

/** As in all JSON of the service. Other names are judged where it is known whether they are members or keys. */
function refusePrototype(path: readonly string[], pointer: string): void {
  if (path.includes('__proto__'))
    throw refuse('JSON_FORBIDDEN_KEY', 'the key "__proto__" is not allowed', pointer);
}

/** Unescaped segments of an RFC 6901 pointer; undefined when it is none. */
function segments(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return undefined;
  if (/~(?![01])/.test(pointer)) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function readArrayKeys(value: unknown): Map<string, ArrayKeys> {
  const keys = new Map<string, ArrayKeys>();
  if (value === undefined || value === null) return keys;
  if (!isRecord(value)) throw refuse('PATCH_MALFORMED', 'arrayPrimaryKeys is an object', '/arrayPrimaryKeys');
  for (const [name, fields] of Object.entries(value)) {
    if (
      !Array.isArray(fields) ||
      fields.length === 0 ||
      !fields.every((f) => typeof f === 'string' && f !== '')
    ) {
      throw refuse(
        'PATCH_MALFORMED',
        'each entry of arrayPrimaryKeys is a list of field names',
        `/arrayPrimaryKeys/${name}`,
      );
    }
    keys.set(
      name,
      fields.map((field: string) => field.split(KEY_PATH_SEPARATOR)),
    );
  }
  return keys;
}
