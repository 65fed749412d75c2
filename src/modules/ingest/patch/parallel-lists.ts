import { isRecord, type ParallelListSpec } from '../../../catalog/model/index.js';

type Value = Record<string, unknown>;
type Paths = ReadonlyArray<readonly string[]>;

const touches = (field: string, paths: Paths): boolean => paths.some(([first]) => first === field);

const listAt = (value: Value, field: string): unknown[] => (value[field] ?? []) as unknown[];

/** Before a patch of the objects: each value of the plain list has one, so that it can also be taken away. */
export function withObjects(value: Value, paths: Paths, { path, key, list }: ParallelListSpec): Value {
  if (!touches(path, paths)) return value;
  const objects = listAt(value, path);
  const known = new Set(keysOf(objects, key));
  const missing = listAt(value, list).filter((one) => !known.has(one));
  return { ...value, [path]: [...objects, ...missing.map((one) => ({ [key]: one }))] };
}

/** After it: the list that the patch did not name agrees with the one it named. */
export function inParallel(value: Value, paths: Paths, { path, key, list }: ParallelListSpec): Value {
  const { [path]: objects, [list]: plain } = value;
  if (!Array.isArray(objects)) return value;
  if (touches(path, paths)) return { ...value, [list]: [...new Set(keysOf(objects, key))] };
  if (!Array.isArray(plain)) return value;
  const kept = objects.filter((one: unknown) => isRecord(one) && plain.includes(one[key]));
  return { ...value, [path]: kept };
}

const keysOf = (objects: readonly unknown[], key: string): unknown[] =>
  objects.flatMap((one) => (isRecord(one) ? [one[key]] : []));
