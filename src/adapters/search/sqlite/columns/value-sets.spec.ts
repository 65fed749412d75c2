import { describe, expect, it } from '@jest/globals';
import { DocSet } from './doc-set.js';
import { ValueSets } from './value-sets.js';

describe('sets of values that were asked for', () => {
  const never = (): DocSet => {
    throw new Error('it is known');
  };

  it('are read once, follow changes, and stay when a caller changes what it got', () => {
    const sets = new ValueSets();
    expect([...sets.docs('tags', '1', () => DocSet.of([1, 2, 70_000]))]).toEqual([1, 2, 70_000]);
    // A number and its text are two values.
    expect([...sets.docs('tags', 1, () => DocSet.of([5]))]).toEqual([5]);
    sets.change('tags', '1', [3], [2]);
    sets.change('owners', '1', [4], []);
    sets.docs('tags', '1', never).clear();
    expect([...sets.docs('tags', '1', never).and(DocSet.of([3, 4]))]).toEqual([3]);
    expect([...sets.docs('tags', '1', never)]).toEqual([1, 3, 70_000]);
    expect([...sets.docs('owners', '1', () => DocSet.of([9]))]).toEqual([9]);
    sets.clear();
    expect([...sets.docs('tags', '1', () => new DocSet())]).toEqual([]);
  });

  it('give way to those asked for since when they take too much', () => {
    const sets = new ValueSets();
    let reads = 0;
    const dense = () => {
      reads += 1;
      return DocSet.of(
        Array.from({ length: 130 * 600 }, (_, i) => (i % 130) * 65_536 + Math.floor(i / 130)).sort(
          (a, b) => a - b,
        ),
      );
    };
    for (let value = 0; value < 10; value++) sets.docs('tags', value, dense);
    sets.docs('tags', 9, never);
    sets.docs('tags', 0, dense);
    expect(reads).toBe(11);
  });
});
