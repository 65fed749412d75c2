import type { Steps } from '../schedule/index.js';

/** Pairs of values that are compared in one go. */
const TOGETHER = 2_000;

/** Whether two JSON values say the same: the order of an object's fields does not matter, that of a list does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(b, name) &&
      sameJson((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}

/** {@link sameJson} of large values, in steps. */
export function* sameJsonInSteps(a: unknown, b: unknown): Steps<boolean> {
  const open: Pair[] = [];
  let compared = 0;
  if (!mayBeSame(a, b, open)) return false;
  for (let pair = open.at(-1); pair !== undefined; pair = open.at(-1)) {
    if (pair.next >= 0 && pair.next === pair.length) {
      open.pop();
      continue;
    }
    const { one, other } = pair;
    if (pair.next < 0) {
      pair.next = 0;
      if (!Array.isArray(one)) {
        pair.keys = Object.keys(one);
        pair.length = pair.keys.length;
        // Looking for the keys of a large map takes long in itself.
        if (pair.length > TOGETHER) yield;
      }
      const length = Array.isArray(other) ? other.length : Object.keys(other).length;
      if (length !== pair.length) return false;
      if (length > TOGETHER) yield;
      continue;
    }
    const key = pair.keys?.[pair.next] ?? pair.next;
    pair.next += 1;
    if (pair.keys && !Object.hasOwn(other, key)) return false;
    if (!mayBeSame(one[key], other[key], open)) return false;
    compared += 1;
    if (compared % TOGETHER === 0) yield;
  }
  return true;
}

/** Two lists, or two objects, of which the members are being compared. */
interface Pair {
  readonly one: Record<string | number, unknown>;
  readonly other: Record<string | number, unknown>;
  /** Of an object, once they were looked for. */
  keys: readonly string[] | undefined;
  length: number;
  /** -1 before the lengths are compared. */
  next: number;
}

/** Whether two values may be the same; what is in them is to be compared later. */
function mayBeSame(one: unknown, other: unknown, open: Pair[]): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const length = Array.isArray(one) ? one.length : 0;
  open.push({ one: one as Pair['one'], other: other as Pair['other'], keys: undefined, length, next: -1 });
  return true;
}
