import fastJsonPatch from 'fast-json-patch';
import type { AuditStamp } from '../../../catalog/change/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { BUILT_IN_ARRAY_KEYS, type ArrayKeys } from './array-keys.js';
import {
  decodeLineage,
  encodeGroups,
  encodeLineage,
  hasLineage,
  isLineagePath,
  lineagePath,
} from './fine-grained-lineage.js';
import { decode, encode, keysOf, keyTree, mark, unmark, type KeyTree } from './keyed-arrays.js';
import { inParallel, withAssociations } from './parallel-domains.js';
import { type PatchDocument, type PatchOperation } from './patch-document.js';

const { applyOperation } = fastJsonPatch;

/**
 * Applies a patch to (a copy of) an aspect. RFC 6902, with what clients of such catalogs rely on besides:
 * elements of an array are addressed by key where keys are known (sent with the patch, or built in for the
 * aspect); `add` makes the parents it lacks and replaces an equal key; `remove` of what is not there does
 * nothing, and of a path shorter than the key takes the whole branch. Terms of a column that come without the
 * stamp they need get `stamp`.
 *
 * @throws CatalogError PATCH_NOT_APPLICABLE, pointing to the operation, when it cannot be carried out.
 */
export function applyPatch(
  aspectName: string,
  current: Record<string, unknown>,
  patch: PatchDocument,
  stamp?: AuditStamp,
): Record<string, unknown> {
  const paths = patch.operations.flatMap((o) => (o.from ? [o.path, o.from] : [o.path]));
  const tree = keyTree(BUILT_IN_ARRAY_KEYS[aspectName] ?? {}, patch.arrayKeys, paths);
  const lineage = hasLineage(aspectName) && paths.some(isLineagePath);
  const domains = aspectName === 'domains';
  const base = domains ? withAssociations(current, paths) : current;
  // A copy even where nothing is keyed: operations change the document in place.
  let document = encode(structuredClone(base), tree) as Record<string, unknown>;
  if (lineage) document = encodeLineage(document);
  patch.operations.forEach((operation, i) => {
    try {
      document = applyOne(document, operation, tree, lineage) as Record<string, unknown>;
    } catch (error) {
      const message = `operation ${i} (${operation.op} ${jsonPointer(operation.path)}) cannot be applied: ${reason(error)}`;
      throw new CatalogError('PATCH_NOT_APPLICABLE', message, [{ pointer: `/patch/${i}`, message }]);
    }
    if (!isRecord(document)) {
      const message = `operation ${i} leaves something that is no aspect: an aspect is an object`;
      throw new CatalogError('PATCH_NOT_APPLICABLE', message, [{ pointer: `/patch/${i}`, message }]);
    }
  });
  if (lineage) document = decodeLineage(document);
  const next = decode(document, tree) as Record<string, unknown>;
  if (stamp !== undefined) stampTerms(aspectName, next, stamp);
  return domains ? inParallel(next, paths) : next;
}

/** Lists of columns, whose terms have a stamp that the patch of one term has no place for. */
const COLUMNS: Readonly<Record<string, string>> = {
  editableSchemaMetadata: 'editableSchemaFieldInfo',
  schemaMetadata: 'fields',
};

function stampTerms(aspectName: string, next: Record<string, unknown>, stamp: AuditStamp): void {
  const columns = next[COLUMNS[aspectName] ?? ''];
  if (!Array.isArray(columns)) return;
  for (const column of columns) {
    const terms: unknown = isRecord(column) ? column['glossaryTerms'] : undefined;
    if (isRecord(terms)) terms['auditStamp'] ??= { ...stamp };
  }
}

function applyOne(document: unknown, operation: PatchOperation, tree: KeyTree, lineage: boolean): unknown {
  const adding = operation.op === 'add' || operation.op === 'replace' || operation.op === 'test';
  const turn = (path: string[], value?: unknown): Resolved =>
    lineage && isLineagePath(path)
      ? { path: lineagePath(path), value, keyed: true }
      : resolve(
          document,
          path,
          tree,
          adding ? { value: lineage ? encodeGroups(path, value) : value } : undefined,
        );
  const { path, value, keyed } = turn(operation.path, operation.value);
  if (operation.op === 'add') {
    makeParents(document, path, keyed);
  } else if (operation.op === 'remove' && at(document, path) === undefined) {
    return document;
  }
  const from = operation.from && turn(operation.from).path;
  if (operation.op === 'move' || operation.op === 'copy') makeParents(document, path, keyed);
  // Library and RFC agree on the rest; validation is on, so that a path that leads nowhere is an error.
  return applyOperation(
    document,
    {
      op: operation.op,
      path: jsonPointer(path),
      ...(from ? { from: jsonPointer(from) } : { value }),
    } as never,
    true,
    true,
    false,
  ).newDocument;
}

interface Resolved {
  path: string[];
  value: unknown;
  /** True when the path runs through an array that is addressed by key. */
  keyed: boolean;
}

/**
 * The path of an operation in the encoded document. Segments at key positions are marked; a path that ends
 * before the last key is completed from the keys of the value it adds; a value is encoded like its place.
 */
function resolve(document: unknown, path: string[], root: KeyTree, adds?: { value: unknown }): Resolved {
  const out: string[] = [];
  let tree: KeyTree | undefined = root;
  const value = adds?.value;
  let keyed = false;
  for (let i = 0; i < path.length;) {
    const segment = path[i] as string;
    if (tree?.keys === undefined) {
      out.push(segment);
      tree = tree?.children.get(segment) ?? tree?.children.get('*');
      i += 1;
      continue;
    }
    keyed = true;
    const keys = tree.keys;
    const indexed: string[] | undefined = tree.builtIn
      ? byIndex(at(document, out), segment, keys.length)
      : undefined;
    const given = indexed ?? path.slice(i, i + keys.length);
    i += indexed ? 1 : given.length;
    if (given.length < keys.length && adds && isElement(value)) {
      const own = keysOf(value, keys);
      // "-" appends: every key comes from the value.
      const known = given[0] === '-' ? [] : given;
      given.splice(0, given.length, ...known, ...own.slice(known.length));
    } else if (given[0] === '-' && adds && isElement(value)) {
      given.splice(0, given.length, ...keysOf(value, keys));
    }
    if (tree.builtIn && keys.length === 1)
      given.splice(0, 1, sameNumber(given[0] ?? '', at(document, out), adds, keys));
    out.push(...given.map(mark));
    tree = given.length === keys.length ? tree.children.get('*') : undefined;
  }
  return { path: out, value: adds ? encode(value, tree) : undefined, keyed };
}

/** RFC 6902 addresses elements by index; that still works where the keys are ours and no key has that name. */
function byIndex(map: unknown, segment: string, depth: number): string[] | undefined {
  if (!/^(0|[1-9]\d*)$/.test(segment) || !isRecord(map) || mark(segment) in map) return undefined;
  const paths = keyPaths(map, depth);
  return paths[Number(segment)];
}

function keyPaths(level: Record<string, unknown>, depth: number): string[][] {
  return Object.entries(level).flatMap(([key, next]) => {
    const own = unmark(key);
    if (own === undefined) return [];
    if (depth === 1) return [[own]];
    return isRecord(next) ? keyPaths(next, depth - 1).map((rest) => [own, ...rest]) : [];
  });
}

/** A number can be written in several ways: `30.0` names the element whose key is `30`. */
function sameNumber(
  given: string,
  map: unknown,
  adds: { value: unknown } | undefined,
  keys: ArrayKeys,
): string {
  if (!/^-?\d/.test(given)) return given;
  const present = isRecord(map) ? keyPaths(map, 1).flat() : [];
  const own = adds && isElement(adds.value) ? keysOf(adds.value, keys) : [];
  const known = [...own, ...present];
  if (known.includes(given)) return given;
  return known.find((key) => key !== '' && Number(key) === Number(given)) ?? given;
}

const isElement = (value: unknown): boolean => isRecord(value) || typeof value === 'string';

function makeParents(document: unknown, path: string[], keyed: boolean): void {
  let level = document;
  for (const [i, segment] of path.slice(0, -1).entries()) {
    if (!isRecord(level)) return;
    if (!Object.hasOwn(level, segment)) {
      // Without keys a number or "-" asks for a list that is not there; that is left to fail.
      const next = path[i + 1] ?? '';
      level[segment] = !keyed && (next === '-' || next === '0') ? [] : {};
    }
    level = level[segment];
  }
}

function at(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)] as unknown;
    else if (isRecord(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

/** The library's messages carry the whole document behind the first line. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
