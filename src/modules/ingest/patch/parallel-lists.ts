import { refuse } from '../../../catalog/errors/index.js';
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

/** A set of values, whatever their order. */
const asText = (values: readonly unknown[]): string => JSON.stringify([...new Set(values)].sort());

/**
 * The value to store for an aspect with two lists that hold the same values: a plain one, and one of objects. The
 * list that a write left alone follows the one that it changed. Objects whose value stays are kept; those with an
 * attribution come after the others.
 * @param current the current value
 * @param fill whether the list of objects is also made where there never was one
 * @throws CatalogError RULE_VIOLATED when both were changed, to different values
 */
export function withBothAlike(
  next: Value,
  current: Value | undefined,
  { path, key, list }: ParallelListSpec,
  fill: boolean,
): Value {
  const { [path]: given = current?.[path], [list]: plain } = next;
  if (!Array.isArray(plain) || (given === undefined && !fill)) return next;
  const sent = listAt(next, path);
  const objects = next[path] === undefined ? listAt(current ?? {}, path) : sent;
  const [values, keys] = [asText(plain), asText(keysOf(objects, key))];
  const plainChanged = values !== asText(listAt(current ?? {}, list));
  const objectsChanged =
    next[path] !== undefined && keys !== asText(keysOf(listAt(current ?? {}, path), key));
  if (values !== keys && plainChanged && objectsChanged)
    throw refuse('RULE_VIOLATED', `Cannot update both ${list} and ${path} to different values`, `/${path}`);
  if (values !== keys && objectsChanged) {
    const ordered = manualFirst(objects);
    return { ...next, [path]: ordered, [list]: [...new Set(keysOf(ordered, key))] };
  }
  const stay = objects.filter((one) => isRecord(one) && plain.includes(one[key]));
  const known = new Set(keysOf(stay, key));
  const added = plain.filter((one) => !known.has(one)).map((one: unknown) => ({ [key]: one }));
  return { ...next, [path]: manualFirst([...stay, ...added]) };
}

const manualFirst = (objects: readonly unknown[]): unknown[] => {
  const attributed = (one: unknown): boolean => isRecord(one) && one['attribution'] !== undefined;
  return [...objects.filter((one) => !attributed(one)), ...objects.filter(attributed)];
};
