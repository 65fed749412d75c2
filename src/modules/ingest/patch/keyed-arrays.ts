import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord, type ArrayKeys, type ArrayKeySpec } from '../../../catalog/model/index.js';

/**
 * Where in an aspect arrays are addressed by key. A node is reached by a field name or, below an array or map,
 * by `*`.
 */
export interface KeyTree {
  keys?: ArrayKeys;
  /** True when the keys are the model's, not the client's: then an index may stand where a key is expected. */
  builtIn?: boolean;
  children: Map<string, KeyTree>;
}

/** Builds the tree for the arrays that some operation reaches into; all others are left as they are. */
export function keyTree(
  builtIn: readonly ArrayKeySpec[],
  sent: ReadonlyMap<string, ArrayKeys>,
  paths: readonly (readonly string[])[],
): KeyTree {
  const root: KeyTree = { children: new Map() };
  const add = (path: readonly string[], keys: ArrayKeys, own: boolean): void => {
    if (!paths.some((p) => p.length === 0 || p[0] === path[0])) return;
    let node = root;
    for (const segment of path) {
      let next = node.children.get(segment);
      if (next === undefined) node.children.set(segment, (next = { children: new Map() }));
      node = next;
    }
    node.keys = keys;
    node.builtIn = own;
  };
  for (const { path, keys } of builtIn) add(path, keys, true);
  for (const [name, keys] of sent) {
    const path = name.split('/').filter((segment) => segment !== '');
    add(path, keys, false);
  }
  return root;
}

/**
 * Keys of the maps that stand for arrays carry a mark in front: it keeps JavaScript from sorting number-like
 * keys to the front, and keeps `__proto__` an ordinary word.
 */
const MARK = '=';
export const mark = (key: string): string => MARK + key;
/**
 * Unmarked, so that no path leads there: elements whose keys another one has too (the same tag from two sources,
 * where a patch tells tags apart by name alone). They stay as long as that one does.
 */
const TWINS = 'twins';
const unmark = (key: string): string | undefined => (key.startsWith(MARK) ? key.slice(1) : undefined);

interface Twin {
  keys: string[];
  element: unknown;
}

/**
 * The array as nested maps, one level for each key; elements further in are turned as well.
 * @throws CatalogError PATCH_MALFORMED, pointing below the value, for an object in place of a keyed array: it would be
 *   taken for such a map
 */
export function encode(value: unknown, tree: KeyTree | undefined, path: readonly string[] = []): unknown {
  if (tree === undefined) return value;
  if (tree.keys !== undefined && isRecord(value)) {
    throw refuse('PATCH_MALFORMED', 'an array is expected, this is an object', jsonPointer(path));
  }
  const inner = tree.children.get('*');
  if (tree.keys !== undefined && Array.isArray(value)) {
    const top: Record<string, unknown> = {};
    const twins: Twin[] = [];
    for (const [i, element] of value.entries()) {
      const keys = keysOf(element, tree.keys);
      let level = top;
      for (const key of keys.slice(0, -1)) level = (level[mark(key)] ??= {}) as Record<string, unknown>;
      const last = mark(keys.at(-1) ?? '');
      if (Object.hasOwn(level, last)) twins.push({ keys, element });
      else level[last] = inner ? encode(element, inner, [...path, String(i)]) : element;
    }
    if (twins.length > 0) top[TWINS] = twins;
    return top;
  }
  if (Array.isArray(value)) {
    return value.map((element: unknown, i) =>
      inner ? encode(element, inner, [...path, String(i)]) : element,
    );
  }
  return mapMembers(value, tree, (member, its, name) => encode(member, its, [...path, name]));
}

/** The way back from {@link encode}. */
export function decode(value: unknown, tree: KeyTree | undefined): unknown {
  if (tree === undefined) return value;
  if (tree.keys !== undefined && isRecord(value)) {
    const { keys } = tree;
    const twins = (value[TWINS] ?? []) as Twin[];
    return leaves(value, keys.length, []).flatMap(([path, element]) => [
      withKeys(decode(element, tree.children.get('*')), path, keys),
      ...twins.filter((twin) => twin.keys.every((key, i) => key === path[i])).map((twin) => twin.element),
    ]);
  }
  if (Array.isArray(value)) return value.map((element) => decode(element, tree.children.get('*')));
  return mapMembers(value, tree, decode);
}

/** The key values of an element, '' for what it lacks. A union member counts as the value inside. */
export function keysOf(element: unknown, keys: ArrayKeys): string[] {
  return keyValues(element, keys).map((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '',
  );
}

/** The same as they are stored. */
export function keyValues(element: unknown, keys: ArrayKeys): unknown[] {
  return keys.map((path) => {
    let value = element;
    for (const name of path) value = isRecord(value) ? value[name] : undefined;
    while (isRecord(value)) value = Object.values(value)[0];
    return value;
  });
}

/** The keys of each element of an encoded array, in its order, and how many elements share them. */
export function keyPositions(
  map: Record<string, unknown>,
  depth: number,
): Array<{ path: string[]; alike: number }> {
  const twins = (map[TWINS] ?? []) as Twin[];
  return leaves(map, depth, []).flatMap(([path]) => {
    const alike = 1 + twins.filter((twin) => twin.keys.every((key, i) => key === path[i])).length;
    return Array.from({ length: alike }, () => ({ path, alike }));
  });
}

function leaves(
  level: Record<string, unknown>,
  depth: number,
  path: string[],
): Array<[path: string[], element: unknown]> {
  return Object.entries(level).flatMap(([key, next]): Array<[string[], unknown]> => {
    const own = unmark(key);
    if (own === undefined) return [];
    const here = [...path, own];
    if (depth === 1) return [[here, next]];
    return isRecord(next) ? leaves(next, depth - 1, here) : [];
  });
}

/** An element under a key has that key, also when it was only made on the way to something inside it. */
function withKeys(element: unknown, path: string[], keys: ArrayKeys): unknown {
  // Clients bring the plain text where an element is the member of a union.
  if (keys[0]?.[0] === 'string' && element === path[0]) return { string: element };
  if (!isRecord(element)) return element;
  // Where the key is the element, clients send {} for its value.
  if (keys[0]?.length === 0 && Object.keys(element).length === 0) return path[0];
  const missing: Record<string, unknown> = {};
  keys.forEach((names, i) => {
    const [name, deeper] = names;
    if (name !== undefined && deeper === undefined && path[i] !== '' && element[name] === undefined) {
      missing[name] = path[i];
    }
  });
  return Object.keys(missing).length > 0 ? { ...missing, ...element } : element;
}

/** A copy with the members turned that have a tree of their own. */
function mapMembers(
  value: unknown,
  tree: KeyTree,
  turn: (member: unknown, tree: KeyTree, name: string) => unknown,
): unknown {
  if (tree.children.size === 0 || !isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const its = tree.children.get(name) ?? tree.children.get('*');
    copy[name] = its ? turn(member, its, name) : member;
  }
  return copy;
}
