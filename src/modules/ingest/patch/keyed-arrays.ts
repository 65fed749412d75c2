import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord, type ArrayKeys, type ArrayKeySpec } from '../../../catalog/model/index.js';
import { eachInSteps, ITEMS_A_STEP, type Steps } from '../../../catalog/schedule/index.js';

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
 * Encodes an array as nested maps, one level for each key, and so the arrays inside it. In steps, as an array may be
 * long.
 * @throws CatalogError PATCH_MALFORMED, pointing below the value, for an object in place of a keyed array: it would be
 * taken for such a map
 */
export function* encode(
  value: unknown,
  tree: KeyTree | undefined,
  path: readonly string[] = [],
): Steps<unknown> {
  if (tree === undefined) return value;
  if (tree.keys !== undefined && isRecord(value)) {
    throw refuse('PATCH_MALFORMED', 'an array is expected, this is an object', jsonPointer(path));
  }
  const inner = tree.children.get('*');
  if (tree.keys !== undefined && Array.isArray(value)) {
    const top: Record<string, unknown> = {};
    const twins: Twin[] = [];
    for (const [i, element] of value.entries()) {
      if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
      const keys = keysOf(element, tree.keys);
      let level = top;
      for (const key of keys.slice(0, -1)) level = (level[mark(key)] ??= {}) as Record<string, unknown>;
      const last = mark(keys.at(-1) ?? '');
      if (Object.hasOwn(level, last)) twins.push({ keys, element });
      else level[last] = inner ? yield* encode(element, inner, [...path, String(i)]) : element;
    }
    if (twins.length > 0) top[TWINS] = twins;
    return top;
  }
  if (Array.isArray(value)) {
    if (inner === undefined) return value as unknown;
    return yield* mapElements(value, (element, i) => encode(element, inner, [...path, String(i)]));
  }
  return yield* mapMembers(value, tree, (member, its, name) => encode(member, its, [...path, name]));
}

/** Decodes what {@link encode} has made. */
export function* decode(value: unknown, tree: KeyTree | undefined): Steps<unknown> {
  if (tree === undefined) return value;
  const inner = tree.children.get('*');
  if (tree.keys !== undefined && isRecord(value)) {
    const { keys } = tree;
    const twins = Map.groupBy((value[TWINS] ?? []) as Twin[], (twin) => idOf(twin.keys));
    const elements: unknown[] = [];
    const found: Leaf[] = [];
    yield* findLeaves(value, keys.length, [], found);
    for (const [i, [path, element]] of found.entries()) {
      if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
      elements.push(withKeys(inner ? yield* decode(element, inner) : element, path, keys));
      if (twins.size > 0) for (const twin of twins.get(idOf(path)) ?? []) elements.push(twin.element);
    }
    return elements;
  }
  if (Array.isArray(value))
    return inner ? yield* mapElements(value, (element) => decode(element, inner)) : (value as unknown);
  return yield* mapMembers(value, tree, decode);
}

const idOf = (keys: readonly string[]): string => JSON.stringify(keys);

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
export function* keyPositions(
  map: Record<string, unknown>,
  depth: number,
): Steps<Array<{ path: string[]; alike: number }>> {
  const twins = Map.groupBy((map[TWINS] ?? []) as Twin[], (twin) => idOf(twin.keys));
  const found: Leaf[] = [];
  yield* findLeaves(map, depth, [], found);
  const positions: Array<{ path: string[]; alike: number }> = [];
  yield* eachInSteps(found, ([path]) => {
    const alike = 1 + (twins.size > 0 ? (twins.get(idOf(path))?.length ?? 0) : 0);
    for (let each = 0; each < alike; each += 1) positions.push({ path, alike });
  });
  return positions;
}

type Leaf = [path: string[], element: unknown];

function* findLeaves(
  level: Record<string, unknown>,
  depth: number,
  path: readonly string[],
  found: Leaf[],
): Steps<void> {
  const keys = Object.keys(level);
  if (keys.length > ITEMS_A_STEP) yield;
  for (const [i, key] of keys.entries()) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    const own = unmark(key);
    if (own === undefined) continue;
    const here = [...path, own];
    const next = level[key];
    if (depth === 1) found.push([here, next]);
    else if (isRecord(next)) yield* findLeaves(next, depth - 1, here, found);
  }
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

/** A copy with each element encoded or decoded. */
function* mapElements(
  list: readonly unknown[],
  turn: (element: unknown, index: number) => Steps<unknown>,
): Steps<unknown[]> {
  const turned: unknown[] = [];
  for (const [i, element] of list.entries()) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    turned.push(yield* turn(element, i));
  }
  return turned;
}

/** A copy with those members encoded or decoded that have a tree of their own. */
function* mapMembers(
  value: unknown,
  tree: KeyTree,
  turn: (member: unknown, tree: KeyTree, name: string) => Steps<unknown>,
): Steps<unknown> {
  if (tree.children.size === 0 || !isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  const names = Object.keys(value);
  if (names.length > ITEMS_A_STEP) yield;
  for (const [i, name] of names.entries()) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    const its = tree.children.get(name) ?? tree.children.get('*');
    const member = value[name];
    copy[name] = its ? yield* turn(member, its, name) : member;
  }
  return copy;
}
