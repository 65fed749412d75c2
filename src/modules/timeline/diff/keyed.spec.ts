import { describe, expect, it } from '@jest/globals';
import { ITEMS_A_STEP } from '../../../catalog/schedule/index.js';
import { allKeys, compare } from './keyed.js';

let looked = 0;

/** Counts the entries that are asked for. */
class Counted<T> extends Map<string, T> {
  override *[Symbol.iterator](): MapIterator<[string, T]> {
    for (const entry of super[Symbol.iterator]()) {
      looked += 1;
      yield entry;
    }
  }
}

const counted = (from: number, to: number): Counted<number> => {
  const made = new Counted<number>();
  for (let i = from; i < to; i += 1) made.set(`column ${i}`, i);
  return made;
};

describe('the comparison of what has very many entries', () => {
  it('looks at few of them in a step', () => {
    const [before, after] = [counted(0, 1_000), counted(500, 1_500)];
    const steps = compare(before, after);
    for (;;) {
      looked = 0;
      const step = steps.next();
      // The last of one side and the first of the other are in one.
      expect(looked).toBeLessThanOrEqual(2 * ITEMS_A_STEP + 1);
      if (step.done !== true) continue;
      const { added, removed, both } = step.value;
      expect(added).toEqual([...counted(1_000, 1_500)]);
      expect(removed).toEqual([...counted(0, 500)]);
      expect(both).toEqual([...counted(500, 1_000)].map(([key, i]) => [key, i, i]));
      break;
    }
  });

  it('names each key of both once, those of the second first', () => {
    expect([...allKeys(counted(0, 3), counted(1, 4))]).toEqual([1, 2, 3, 0].map((i) => `column ${i}`));
    expect([...allKeys(new Map(), new Map())]).toEqual([]);
  });
});
