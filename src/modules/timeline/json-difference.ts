import type { Operation } from 'fast-json-patch';
import { copyInSteps, jsonPointer } from '../../catalog/json/index.js';
import { ITEMS_A_STEP, type Steps } from '../../catalog/schedule/index.js';

type Members = Record<string, unknown>;

/**
 * JSON Patch from one object to another, as the library fast-json-patch makes it, in steps.
 * @param path where the two stand
 * @param take is given each operation
 */
export function* jsonDifference(
  before: object,
  after: object,
  path: string,
  take: (operation: Operation) => void,
): Steps<void> {
  const [old, now] = [before as Members, after as Members];
  const list = Array.isArray(after);
  // Of a list, the indices are the keys.
  const [oldKeys, newKeys] = [Object.keys(old), Object.keys(now)];
  if (oldKeys.length > ITEMS_A_STEP) yield;
  let deleted = false;
  // Backwards, so that what goes from a list moves nothing that goes later.
  for (let i = oldKeys.length - 1; i >= 0; i -= 1) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    const key = oldKeys[i]!;
    const [then, next] = [old[key], now[key]];
    const there = () => path + jsonPointer([key]);
    if (!(list ? Number(key) < (after as unknown[]).length : Object.hasOwn(now, key))) {
      take({ op: 'remove', path: there() });
      deleted = true;
    } else if (areAlike(then, next)) {
      if (then !== next) yield* jsonDifference(then, next as object, there(), take);
    } else if (then !== next) take({ op: 'replace', path: there(), value: yield* copyInSteps(next) });
  }
  if (!deleted && newKeys.length === oldKeys.length) return;
  for (const [i, key] of newKeys.entries()) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    if (Object.hasOwn(old, key)) continue;
    take({ op: 'add', path: path + jsonPointer([key]), value: yield* copyInSteps(now[key]) });
  }
}

/** Whether the members of two values can be compared. */
const areAlike = (one: unknown, other: unknown): one is object =>
  typeof one === 'object' &&
  typeof other === 'object' &&
  one !== null &&
  other !== null &&
  Array.isArray(one) === Array.isArray(other);
