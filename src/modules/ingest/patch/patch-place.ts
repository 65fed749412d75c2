import type { AuditStamp } from '../../../catalog/change/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { isRecord, type ArrayKeys } from '../../../catalog/model/index.js';
import { eachInSteps, type Steps } from '../../../catalog/schedule/index.js';
import { isLineagePath, LINEAGE_KEYS, lineagePath } from './fine-grained-lineage.js';
import { keyPositions, keysOf, keyValues, mark, type KeyTree } from './keyed-arrays.js';
import type { PatchBudget } from './patch-budget.js';
import { at, attributed, refuseOtherKeys, type Crossing } from './patch-keys.js';

/** Where a path of a patch leads in the encoded document. */
export interface Place {
  path: string[];
  /** How the value there is encoded; absent when it is left as it is. */
  tree: KeyTree | undefined;
  /** True when the path runs through an array that is addressed by key. */
  keyed: boolean;
  /** True when the path ends before the last key: it stands for all elements that begin with the keys it has. */
  partial: boolean;
  crossings: Crossing[];
  /** Of an index: the mark of the element there, which an added element comes before, or which is replaced. */
  instead?: { op: 'insert' | 'replace'; path: string[] };
}

/** The value that an operation adds or sets. */
export interface Brought {
  op: 'add' | 'replace' | 'test';
  value: unknown;
  /** The time of the write, and who writes. */
  stamp?: AuditStamp | undefined;
}

/**
 * Finds the place of a path, and marks the segments that are keys. If the path ends before the last key, the missing
 * keys come from the value of the operation.
 * @throws CatalogError PATCH_MALFORMED, below the operation, when the keys in the path and in the value differ;
 *   JSON_FORBIDDEN_KEY for a segment that no member may have as its name.
 */
export function* placeOf(
  document: unknown,
  path: readonly string[],
  root: KeyTree,
  lineage: string | undefined,
  budget: PatchBudget,
  brought?: Brought,
): Steps<Place> {
  if (lineage !== undefined && isLineagePath(path, lineage)) return lineagePlace(path, brought);
  const place: Place = { path: [], tree: root, keyed: false, partial: false, crossings: [] };
  for (let i = 0; i < path.length;) {
    const segment = path[i] as string;
    const { tree } = place;
    if (tree?.keys === undefined) {
      refuseForbidden(segment);
      place.path.push(segment);
      place.tree = tree?.children.get(segment) ?? tree?.children.get('*');
      i += 1;
      continue;
    }
    i += yield* crossArray(document, path.slice(i), place, { ...tree, keys: tree.keys }, budget, brought);
  }
  return place;
}

/** Goes one element further; answers how many segments name it. */
function* crossArray(
  document: unknown,
  rest: readonly string[],
  place: Place,
  tree: KeyTree & { keys: ArrayKeys },
  budget: PatchBudget,
  brought: Brought | undefined,
): Steps<number> {
  const { keys } = tree;
  const [segment = ''] = rest;
  const map = at(document, place.path);
  const element = brought && isElement(brought.value) ? brought : undefined;
  const own = element && keysOf(element.value, keys);
  place.keyed = true;
  const indexed = tree.builtIn ? yield* byIndex(map, segment, keys, own, budget) : undefined;
  const taken = indexed ? 1 : Math.min(rest.length, keys.length);
  // The value of the operation belongs to this array only when the path ends here.
  const ends = rest.length === taken;
  const there = indexed?.there;
  let given = there ?? rest.slice(0, taken);
  if (indexed && ends && own && element && element.op !== 'test') {
    if (element.op === 'add' || there === undefined) given = own;
    else if (!sameKeys(own, there)) given = own.map((key, i) => (key === '' ? (there[i] ?? '') : key));
    if (there && !sameKeys(given, there)) {
      const path = [...place.path, ...there.map(mark)];
      place.instead = { op: element.op === 'add' ? 'insert' : 'replace', path };
    }
  } else if (indexed && there === undefined) {
    given = [segment];
  } else if (!indexed) {
    if (given[0] === '-' && ends && own) given = own;
    else if (keys.length === 1)
      given = [yield* sameNumber(segment, map, ends ? element : undefined, keys, budget)];
    if (given.length < keys.length && own) given = [...given, ...own.slice(given.length)];
    if (ends && element) {
      if (element.op !== 'test') element.value = attributed(element, keys, given, at(map, given.map(mark)));
      refuseOtherKeys(element.value, keys, given, '/value');
    }
  }
  place.path.push(...given.map(mark));
  place.partial = given.length < keys.length;
  if (place.partial && brought) {
    const message = `the path names ${given.length} of the ${keys.length} keys of an element, and the value does not name the others`;
    throw refuse('PATCH_MALFORMED', message, '/path');
  }
  place.tree = place.partial ? undefined : tree.children.get('*');
  if (!place.partial) place.crossings.push({ path: [...place.path], keys, given });
  return taken;
}

function lineagePlace(path: readonly string[], brought: Brought | undefined): Place {
  const place = { path: lineagePath(path), tree: undefined, keyed: true, crossings: [] };
  const partial = path.length <= LINEAGE_KEYS;
  if (partial && brought) {
    const message = `the path names ${path.length - 1} of the ${LINEAGE_KEYS} parts of an edge: operation, downstream, query and upstream`;
    throw refuse('PATCH_MALFORMED', message, '/path');
  }
  for (const segment of path.slice(1 + LINEAGE_KEYS)) refuseForbidden(segment);
  return { ...place, partial };
}

/**
 * Resolves a segment that is an index, as in RFC 6902. An array that the model keys accepts indices too, unless the
 * segment may be a key: when the keys of the array are numbers, or the value has that key.
 * @returns the keys of the element there; without them the place behind the last one.
 */
function* byIndex(
  map: unknown,
  segment: string,
  keys: ArrayKeys,
  own: readonly string[] | undefined,
  budget: PatchBudget,
): Steps<{ there?: string[] } | undefined> {
  if (!/^(0|[1-9]\d*)$/.test(segment) || own?.[0] === segment) return undefined;
  const positions = isRecord(map) ? yield* keyPositions(map, keys.length) : [];
  budget.work(positions.length);
  if (positions.some(({ path: [key = ''] }) => NUMBER.test(key))) return undefined;
  const position = positions[Number(segment)];
  if (position === undefined) return own && Number(segment) === positions.length ? {} : undefined;
  if (position.alike > 1) {
    const message = `element ${segment} cannot be told by its keys from another one`;
    throw new CatalogError('PATCH_NOT_APPLICABLE', message, [{ pointer: '/path', message }]);
  }
  return { there: position.path };
}

const NUMBER = /^-?\d/;

/** A number can be written in several ways: `30.0` names the element whose key is the number 30. */
function* sameNumber(
  given: string,
  map: unknown,
  brought: Brought | undefined,
  keys: ArrayKeys,
  budget: PatchBudget,
): Steps<string> {
  if (!NUMBER.test(given) || (isRecord(map) && Object.hasOwn(map, mark(given)))) return given;
  const numberOf = (element: unknown): number | undefined => {
    const [value] = keyValues(element, keys);
    return typeof value === 'number' ? value : undefined;
  };
  const wanted = Number(given);
  if (brought && numberOf(brought.value) === wanted) return String(wanted);
  if (!isRecord(map)) return given;
  const marks = Object.keys(map);
  budget.work(marks.length);
  let found = false;
  yield* eachInSteps(marks, (key) => (found ||= numberOf(map[key]) === wanted));
  return found ? String(wanted) : given;
}

const isElement = (value: unknown): boolean => isRecord(value) || typeof value === 'string';

const sameKeys = (a: readonly string[], b: readonly string[]): boolean => a.every((key, i) => key === b[i]);

/** Names that reach the prototype of an object; JSON text may not hold them either. */
function refuseForbidden(segment: string): void {
  if (segment === '__proto__' || segment === 'constructor')
    throw refuse('JSON_FORBIDDEN_KEY', `the key "${segment}" is not allowed`, '/path');
}
