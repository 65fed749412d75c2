import type { GraphqlEntitySpec } from './graphql-spec.js';
import { isRecord } from './json-schema.js';
import type { Complain } from './model-marks.js';

type Check = (value: unknown) => string | undefined;

const NAME = /^(?!__)[A-Za-z_]\w*$/;
const name: Check = (value) =>
  typeof value === 'string' && NAME.test(value) ? undefined : 'must be a name that GraphQL takes';
const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a string');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? undefined
    : 'must be an array of strings';
const names: Check = (value) =>
  isRecord(value) && Object.values(value).every((one) => name(one) === undefined)
    ? undefined
    : 'must map strings to names';

const ENTITY_KEYS: Readonly<Record<string, Check>> = {
  type: name,
  query: name,
  fieldsOf: text,
  rename: names,
  without: texts,
};

const COUNTED_KEYS: Readonly<Record<string, Check>> = {
  type: name,
  member: name,
  path: texts,
  counts: (value) =>
    isRecord(value) && Object.entries(value).every(([key, one]) => !name(key) && typeof one === 'string')
      ? undefined
      : 'must map names to strings',
  argument: name,
};
const OPTIONAL = new Set(['argument']);

const MARK_KEYS: Readonly<Record<string, Check>> = {
  type: name,
  field: name,
  counted: (value) =>
    isRecord(value) ? undefined : `must be a map of ${Object.keys(COUNTED_KEYS).join(', ')}`,
  urns: (value) => (value === 'text' || value === 'column' ? undefined : 'must be text or column'),
  entity: text,
  also: name,
};

/** Reads `graphql` of an entity file; undefined when there is none, or when it is wrong and was complained about. */
export function readGraphqlEntity(
  mark: unknown,
  aspects: readonly unknown[],
  complain: Complain,
): GraphqlEntitySpec | undefined {
  if (mark === undefined || !fits(mark, ENTITY_KEYS, ['graphql'], complain)) return undefined;
  const { fieldsOf } = mark;
  if (typeof fieldsOf === 'string' && !aspects.includes(fieldsOf))
    complain(['graphql', 'fieldsOf'], `"${fieldsOf}" is no aspect of the entity`);
  return mark;
}

/** Complains about an `x-graphql` that is wrong. */
export function checkGraphqlMark(
  mark: unknown,
  entities: ReadonlyMap<string, unknown>,
  complain: Complain,
): void {
  if (!fits(mark, MARK_KEYS, [], complain)) return;
  const { counted, entity } = mark;
  if (typeof entity === 'string' && !entities.has(entity)) complain(['entity'], `unknown entity "${entity}"`);
  if (!isRecord(counted) || !fits(counted, COUNTED_KEYS, ['counted'], complain)) return;
  for (const key of Object.keys(COUNTED_KEYS))
    if (!(key in counted) && !OPTIONAL.has(key)) complain(['counted'], `"${key}" is required`);
}

function fits(
  mark: unknown,
  keys: Readonly<Record<string, Check>>,
  place: readonly string[],
  complain: Complain,
): mark is Record<string, unknown> {
  const known = Object.keys(keys).join(', ');
  if (!isRecord(mark)) {
    complain(place, `must be a map of ${known}`);
    return false;
  }
  let good = true;
  for (const [key, value] of Object.entries(mark)) {
    const wrong = Object.hasOwn(keys, key)
      ? keys[key]?.(value)
      : `unknown key "${key}", must be one of ${known}`;
    if (wrong === undefined) continue;
    good = false;
    complain([...place, key], wrong);
  }
  return good;
}
