import { sameJsonInSteps } from '../../../catalog/json/same-json.js';
import type { Steps } from '../../../catalog/schedule/index.js';

type Members = Record<string, unknown>;

/**
 * Carries out an operation of RFC 6902, in place; a path that leads nowhere is an error. It does what the library fast-json-patch
 * does, whose errors print the whole document.
 * @returns the document, which is another one where the path is empty
 * @throws Error that says why it cannot be done
 */
export function* perform(
  document: unknown,
  op: 'add' | 'replace' | 'test' | 'remove',
  path: readonly string[],
  value?: unknown,
): Steps<unknown> {
  if (path.length === 0) {
    if (op === 'test') yield* requireSame(document, value);
    if (op === 'remove') return null;
    return op === 'test' ? document : value;
  }
  let level = document as Members | unknown[];
  let exists = true;
  for (const [i, segment] of path.entries()) {
    const isLast = i === path.length - 1;
    if (exists && (level as Members)[segment] === undefined) {
      exists = false;
      refuseAbsent(op, isLast);
    }
    const list = Array.isArray(level) ? level : undefined;
    const key = list === undefined ? segment : indexIn(list, segment);
    if (isLast) {
      if (op === 'test') yield* requireSame((level as Members)[key], value);
      else if (list !== undefined) changeList(list, op, key as number, value);
      else if (op === 'remove') delete (level as Members)[key];
      else (level as Members)[key] = value;
      return document;
    }
    const next = (level as Members)[key];
    if (typeof next !== 'object' || next === null)
      throw new Error('Cannot perform operation at the desired path');
    level = next as Members;
  }
  return document;
}

function refuseAbsent(op: 'add' | 'replace' | 'test' | 'remove', isLast: boolean): void {
  if (op === 'replace' || op === 'remove')
    throw new Error('Cannot perform the operation at a path that does not exist');
  if (op === 'add' && !isLast) throw new Error('Cannot perform an `add` operation at the desired path');
}

function indexIn(list: readonly unknown[], segment: string): number {
  if (segment === '-') return list.length;
  if (/^\d*$/.test(segment)) return Number(segment);
  throw new Error(
    'Expected an unsigned base-10 integer value, making the new referenced value the array element with the zero-based index',
  );
}

function changeList(list: unknown[], op: 'add' | 'replace' | 'remove', index: number, value: unknown): void {
  if (op === 'remove') list.splice(index, 1);
  else if (op === 'replace') list[index] = value;
  else if (index > list.length)
    throw new Error('The specified index MUST NOT be greater than the number of elements in the array');
  else list.splice(index, 0, value);
}

function* requireSame(one: unknown, other: unknown): Steps<void> {
  if (!(yield* sameJsonInSteps(one, other))) throw new Error('Test operation failed');
}
