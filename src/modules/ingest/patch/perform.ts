import { sameJsonInSteps } from '../../../catalog/json/same-json.js';
import type { Steps } from '../../../catalog/schedule/index.js';

type Members = Record<string, unknown>;

/**
 * Carries out an operation of RFC 6902, in place; a path that leads nowhere is an error. It does what the library fast-json-patch
 * does, whose errors print the whole document, and in steps.
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
      throw new Error('the path goes on below a value that has no members');
    level = next as Members;
  }
  return document;
}

function refuseAbsent(op: 'add' | 'replace' | 'test' | 'remove', isLast: boolean): void {
  if (op === 'replace' || op === 'remove') throw new Error('there is nothing at this path');
  if (op === 'add' && !isLast) throw new Error('there is nothing to add to at this path');
}

function indexIn(list: readonly unknown[], segment: string): number {
  if (segment === '-') return list.length;
  if (/^\d*$/.test(segment)) return Number(segment);
  throw new Error(`"${segment.slice(0, 100)}" is not a position in an array`);
}

function changeList(list: unknown[], op: 'add' | 'replace' | 'remove', index: number, value: unknown): void {
  if (op === 'remove') list.splice(index, 1);
  else if (op === 'replace') list[index] = value;
  else if (index > list.length) throw new Error('the position lies behind the end of the array');
  else list.splice(index, 0, value);
}

function* requireSame(one: unknown, other: unknown): Steps<void> {
  if (!(yield* sameJsonInSteps(one, other))) throw new Error('another value is there');
}
