import { ITEMS_A_STEP, type Steps } from '../schedule/index.js';

/** A copy of plain data that shares nothing with it, in steps. */
export function* copyInSteps<T>(value: T): Steps<T> {
  const open: Level[] = [];
  const copy = begin(value, open);
  let copied = 0;
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const { from, to } = level;
    if (level.next < 0) {
      level.next = 0;
      if (!Array.isArray(from)) level.keys = Object.keys(from);
      // Looking for the keys of a large map takes long in itself.
      if (level.keys !== undefined && level.keys.length > ITEMS_A_STEP) yield;
    }
    const { keys } = level;
    const count = keys?.length ?? (from as unknown[]).length;
    const depth = open.length;
    while (level.next < count && open.length === depth) {
      const key = (keys?.[level.next] ?? level.next) as string;
      level.next += 1;
      const member = begin((from as Record<string, unknown>)[key], open);
      if (key !== '__proto__') (to as Record<string, unknown>)[key] = member;
      else Object.defineProperty(to, key, { value: member, ...ORDINARY });
      copied += 1;
      if (copied % ITEMS_A_STEP === 0) yield;
    }
    if (open.length === depth && level.next >= count) open.pop();
  }
  return copy;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

/** A list or object of which the members are being copied. */
interface Level {
  readonly from: object;
  readonly to: object;
  /** Of an object, once they were looked for. */
  keys: readonly string[] | undefined;
  /** -1 before that. */
  next: number;
}

/** The copy of a value; the members of a list or object come later. */
function begin<T>(value: T, open: Level[]): T {
  if (typeof value !== 'object' || value === null) return value;
  const to: object = Array.isArray(value) ? [] : {};
  open.push({ from: value, to, keys: undefined, next: -1 });
  return to as T;
}
