import { isRecord, type ArrayKeys } from '../../../catalog/model/index.js';
import { keysOf, type KeyTree } from './keyed-arrays.js';
import type { PatchOperation } from './patch-document.js';

/** An element of a branch, and the segments that lead to it from where the branch begins. */
interface BranchElement {
  keys: string[];
  element: unknown;
}

/**
 * What `add` brings to a path that ends before the last key of an array, where it is no element but a map of elements by
 * the keys that the path lacks: all tags of one source, say. Undefined where the operation is no such thing. Only where the
 * client sent the keys: those of the model are never grouped so.
 */
export function branchElements(
  { op, path, value }: PatchOperation,
  root: KeyTree,
): BranchElement[] | undefined {
  if (op !== 'add' || !isRecord(value)) return undefined;
  let tree: KeyTree | undefined = root;
  for (let i = 0; i < path.length && tree !== undefined;) {
    if (tree.keys === undefined) {
      tree = tree.children.get(path[i] as string) ?? tree.children.get('*');
      i += 1;
      continue;
    }
    if (tree.builtIn) return undefined;
    const given = path.slice(i);
    if (given.length < tree.keys.length) return branch(value, given, tree.keys);
    i += tree.keys.length;
    tree = tree.children.get('*');
  }
  return undefined;
}

function branch(
  value: Record<string, unknown>,
  given: readonly string[],
  keys: ArrayKeys,
): BranchElement[] | undefined {
  if (keysOf(value, keys).some((key) => key !== '')) return undefined;
  // An empty map is an element that lacks all keys, unless it could not have those that the path names.
  const element = given.every((key, i) => key === '' || keys[i]?.length === 1);
  if (Object.keys(value).length === 0 && element) return undefined;
  const elements = below(value, keys.length - given.length);
  return elements.every((each) => isRecord(each.element)) ? elements : undefined;
}

function below(level: unknown, depth: number): BranchElement[] {
  if (depth === 0 || !isRecord(level)) return [{ keys: [], element: depth === 0 ? level : undefined }];
  return Object.entries(level).flatMap(([key, next]) =>
    below(next, depth - 1).map(({ keys, element }) => ({ keys: [key, ...keys], element })),
  );
}
