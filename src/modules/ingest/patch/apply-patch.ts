import type { AuditStamp } from '../../../catalog/change/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { copyInSteps, jsonPointer, MAX_JSON_DEPTH } from '../../../catalog/json/index.js';
import { isRecord, type AspectSpec } from '../../../catalog/model/index.js';
import { atOnce, eachInSteps, type Steps } from '../../../catalog/schedule/index.js';
import {
  decodeGroups,
  decodeLineage,
  encodeGroups,
  encodeLineage,
  isLineagePath,
} from './fine-grained-lineage.js';
import { decode, encode, keyTree, type KeyTree } from './keyed-arrays.js';
import { inParallel, withObjects } from './parallel-lists.js';
import { branchElements } from './patch-branch.js';
import { measure, PatchBudget } from './patch-budget.js';
import { type PatchDocument, type PatchOperation } from './patch-document.js';
import { at, refuseMovedKeys } from './patch-keys.js';
import { perform } from './perform.js';
import { placeOf, type Brought, type Place } from './patch-place.js';

/** What the model says of patches of an aspect. */
type PatchedAspect = Pick<AspectSpec, 'arrayKeys' | 'parallelLists' | 'patchStamps' | 'columnLineage'>;

/**
 * Applies a patch to (a copy of) an aspect. RFC 6902, with what clients of such catalogs rely on besides:
 * elements of an array are addressed by key where keys are known (sent with the patch, or marked in the
 * model); `add` makes the parents it lacks and replaces an equal key, it names the source that only its path names, and with a path shorter than the key the whole
 * branch by a map of elements; `remove` of what is not there does nothing, and of such a path takes the branch. Terms of a column that come without the
 * stamp they need get `stamp`. What the patch does not name stays as it is.
 *
 * @param budget shared by the patches of one submission.
 * @throws CatalogError pointing to the operation: PATCH_NOT_APPLICABLE when it cannot be carried out,
 *   PATCH_MALFORMED when the keys of an element in the path and in the value differ, JSON_FORBIDDEN_KEY,
 *   PATCH_TOO_LARGE, JSON_TOO_DEEP.
 */
export function applyPatch(
  aspect: PatchedAspect,
  current: Record<string, unknown>,
  patch: PatchDocument,
  stamp?: AuditStamp,
  budget = new PatchBudget(),
): Record<string, unknown> {
  return atOnce(applyInSteps(aspect, current, patch, stamp, budget));
}

/** {@link applyPatch} to a large aspect, in steps. */
export function* applyInSteps(
  aspect: PatchedAspect,
  current: Record<string, unknown>,
  patch: PatchDocument,
  stamp: AuditStamp | undefined,
  budget: PatchBudget,
): Steps<Record<string, unknown>> {
  const paths = patch.operations.flatMap((o) => (o.from ? [o.path, o.from] : [o.path]));
  const tree = keyTree(aspect.arrayKeys, patch.arrayKeys, paths);
  const { columnLineage: field } = aspect;
  const lineage = field !== undefined && paths.some((path) => isLineagePath(path, field)) ? field : undefined;
  const base = aspect.parallelLists.reduce((value, row) => withObjects(value, paths, row), current);
  // A copy even where nothing is keyed: operations change the document in place.
  // Only keys that a client sent can be those of something else than an array.
  const copy = yield* copyInSteps(base);
  let document = (yield* encodeAt('/arrayPrimaryKeys', copy, tree)) as Record<string, unknown>;
  if (lineage !== undefined) document = encodeLineage(document, lineage, budget);
  const application: Application = { tree, lineage, budget, stamp, deepest: 0 };
  for (const [i, operation] of patch.operations.entries()) {
    if (i > 0) yield;
    document = yield* applyChecked(document, operation, application, `${patch.at}/${i}`, i);
  }
  if (lineage !== undefined) document = decodeLineage(document, lineage);
  const next = (yield* decode(document, tree)) as Record<string, unknown>;
  if (application.deepest > MAX_JSON_DEPTH && (yield* measure(next)).depth > MAX_JSON_DEPTH) {
    const message = `arrays and objects may be nested ${MAX_JSON_DEPTH} deep, after the patch they are deeper`;
    throw refuse('JSON_TOO_DEEP', message, patch.at);
  }
  if (stamp !== undefined) for (const path of aspect.patchStamps) fillStamp(next, path, stamp);
  return aspect.parallelLists.reduce((value, row) => inParallel(value, paths, row), next);
}

/** Carries out one operation and says of every failure which one it was. */
function* applyChecked(
  document: Record<string, unknown>,
  operation: PatchOperation,
  application: Application,
  pointer: string,
  i: number,
): Steps<Record<string, unknown>> {
  const name = `operation ${i} (${operation.op} ${jsonPointer(operation.path)})`;
  let next: unknown;
  try {
    next = yield* applyOne(document, operation, application);
  } catch (error) {
    const message = `${name} cannot be applied: ${reason(error)}`;
    if (!(error instanceof CatalogError))
      throw new CatalogError('PATCH_NOT_APPLICABLE', message, [{ pointer, message }]);
    throw new CatalogError(error.code, message, error.below(pointer).errors);
  }
  if (isRecord(next)) return next;
  const message = `operation ${i} leaves something that is no aspect: an aspect is an object`;
  throw new CatalogError('PATCH_NOT_APPLICABLE', message, [{ pointer, message }]);
}

/** Fills in the audit stamps that an aspect requires: a patch of an element does not bring those of what holds it. */
function fillStamp(value: unknown, [segment, ...rest]: readonly string[], stamp: AuditStamp): void {
  if (segment === '*') {
    if (Array.isArray(value)) for (const element of value) fillStamp(element, rest, stamp);
  } else if (segment !== undefined && isRecord(value)) {
    if (rest.length === 0) value[segment] ??= { ...stamp };
    else fillStamp(value[segment], rest, stamp);
  }
}

/** What is the same for all operations of a patch. */
interface Application {
  tree: KeyTree;
  /** The field of column lineage, where a path names one of its edges. */
  lineage: string | undefined;
  budget: PatchBudget;
  stamp: AuditStamp | undefined;
  /** Arrays and objects inside each other where operations have been. */
  deepest: number;
}

function* applyOne(document: unknown, operation: PatchOperation, application: Application): Steps<unknown> {
  const { tree, lineage, budget } = application;
  const { op, path } = operation;
  switch (op) {
    case 'remove': {
      const place = yield* placeOf(document, path, tree, lineage, budget);
      if (at(document, place.path) === undefined) return document;
      passArray(document, place, budget);
      const next = yield* perform(document, 'remove', place.path);
      refuseMovedKeys(next, place, lineage);
      return next;
    }
    case 'copy': {
      const value = yield* valueAt(document, operation, application);
      budget.copy((yield* measure(value)).size);
      return yield* bring(document, path, { op: 'add', value }, application);
    }
    case 'move': {
      const from = operation.from ?? [];
      if (path.length > from.length && from.every((segment, i) => segment === path[i]))
        throw refuse('PATCH_NOT_APPLICABLE', 'nothing can be moved into itself', '/path');
      const value = yield* valueAt(document, operation, application);
      if (jsonPointer(from) === jsonPointer(path)) return document;
      const source = yield* placeOf(document, from, tree, lineage, budget);
      passArray(document, source, budget);
      const rest = yield* perform(document, 'remove', source.path);
      refuseMovedKeys(rest, source, lineage);
      return yield* bring(rest, path, { op: 'add', value }, application);
    }
    case 'add':
    case 'replace':
    case 'test': {
      const elements = branchElements(operation, tree);
      if (elements === undefined)
        return yield* bring(document, path, { op, value: operation.value }, application);
      const { path: branch } = yield* placeOf(document, path, tree, lineage, budget);
      makeParents(document, branch, true);
      // The branch keeps its place among the others, so that the same patch again changes nothing.
      let next = yield* perform(document, 'add', branch, {});
      for (const { keys, element } of elements) {
        yield;
        next = yield* bring(next, [...path, ...keys], { op: 'add', value: element }, application);
      }
      return next;
    }
  }
}

/** What `from` leads to, as a client would send it. */
function* valueAt(
  document: unknown,
  { from = [] }: PatchOperation,
  { tree, lineage, budget }: Application,
): Steps<unknown> {
  const place = yield* sourceOf(placeOf(document, from, tree, lineage, budget));
  if (place.partial) throw refuse('PATCH_MALFORMED', 'the path names only some keys of an element', '/from');
  const there = at(document, place.path);
  if (there === undefined) throw refuse('PATCH_NOT_APPLICABLE', 'there is nothing at "from"', '/from');
  const value = yield* decode(there, place.tree);
  return lineage === undefined ? value : decodeGroups(from, value, lineage);
}

/** An error in the path `from` points to `from`. */
function* sourceOf(find: Steps<Place>): Steps<Place> {
  try {
    return yield* find;
  } catch (error) {
    throw error instanceof CatalogError ? refuse(error.code, error.message, '/from') : error;
  }
}

function* bring(
  document: unknown,
  path: string[],
  { op, value: given }: Brought,
  application: Application,
): Steps<unknown> {
  const { tree, lineage, budget, stamp } = application;
  const brought: Brought = { op, value: given, stamp };
  const place = yield* placeOf(document, path, tree, lineage, budget, brought);
  // A copy: later operations change it, and the patch may be carried out again.
  const copy = yield* copyInSteps(brought.value);
  const value = yield* encodeAt(
    '/value',
    lineage === undefined ? copy : encodeGroups(path, copy, lineage, budget),
    place.tree,
  );
  const { depth } = yield* measure(value, place.path.length);
  application.deepest = Math.max(application.deepest, place.path.length + depth);
  if (op === 'add') makeParents(document, place.path, place.keyed);
  if (op !== 'test') passArray(document, place, budget);
  const { instead } = place;
  const next =
    instead === undefined
      ? yield* perform(document, op, place.path, value)
      : yield* putElement(document, instead, place.path, value, budget);
  if (op !== 'test') refuseMovedKeys(next, place, lineage);
  return next;
}

/** Encodes what lies at `pointer` of the patch or of its operation. */
function* encodeAt(pointer: string, value: unknown, tree: KeyTree | undefined): Steps<unknown> {
  try {
    return yield* encode(value, tree);
  } catch (error) {
    throw error instanceof CatalogError ? error.below(pointer) : error;
  }
}

/** An element that is added or replaced by index, with keys of its own: it comes before another one, or instead of it. */
function* putElement(
  document: unknown,
  { op, path: there }: NonNullable<Place['instead']>,
  path: readonly string[],
  value: unknown,
  budget: PatchBudget,
): Steps<unknown> {
  const name = path.at(-1) as string;
  const other = there.at(-1) as string;
  const level = at(document, path.slice(0, -1));
  const beside = isRecord(level) && jsonPointer(path.slice(0, -1)) === jsonPointer(there.slice(0, -1));
  if (beside && !Object.hasOwn(level, name)) {
    const keys = Object.keys(level);
    budget.work(keys.length);
    // Only what comes behind it moves.
    const moved = keys.slice(keys.indexOf(other));
    const elements = moved.map((key) => level[key]);
    yield* eachInSteps(moved, (key) => delete level[key]);
    level[name] = value;
    yield* eachInSteps(moved, (key, i) => {
      if (key !== other || op === 'insert') level[key] = elements[i];
    });
    return document;
  }
  makeParents(document, [...path], true);
  const next = yield* perform(document, 'add', [...path], value);
  return op === 'replace' ? yield* perform(next, 'remove', [...there]) : next;
}

/** Charges the budget for an array whose elements are shifted by one that is added or removed. */
function passArray(document: unknown, { path }: Place, budget: PatchBudget): void {
  const parent = at(document, path.slice(0, -1));
  if (Array.isArray(parent)) budget.work(parent.length);
}

function makeParents(document: unknown, path: string[], keyed: boolean): void {
  let level = document;
  for (const [i, segment] of path.slice(0, -1).entries()) {
    if (!isRecord(level)) return;
    if (!Object.hasOwn(level, segment)) {
      // Without keys, "-" and 0 stand for the first place of an array that the path lacks.
      const next = path[i + 1] ?? '';
      level[segment] = !keyed && (next === '-' || next === '0') ? [] : {};
    }
    level = level[segment];
  }
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
