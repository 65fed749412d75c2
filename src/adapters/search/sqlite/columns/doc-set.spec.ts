import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DocSet } from './doc-set.js';
import { changedContainer } from './stored-container.js';

const docs = fc.uniqueArray(fc.nat({ max: 65_535 }), { maxLength: 6000 });

const chunk = fc.oneof(
  fc.constant<number[]>([]),
  fc.uniqueArray(fc.nat({ max: 700 }), { maxLength: 40 }),
  // Around the length of the longest list.
  fc.integer({ min: 500, max: 520 }).map((length) => Array.from({ length }, (_, i) => i)),
  fc.integer({ min: 1, max: 3 }).map((step) => Array.from({ length: 2000 }, (_, i) => i * step)),
);
const documents = fc
  .array(chunk, { maxLength: 3 })
  .map((chunks) => chunks.flatMap((lows, i) => lows.map((low) => i * 65_536 + low)));

/** Compares them as texts: `toEqual` takes milliseconds for thousands of numbers. */
function expectDocs(found: Iterable<number>, expected: readonly number[]): void {
  expect([...found].join()).toBe(expected.join());
}

describe('doc set', () => {
  it('keeps what was put into a container, however many', () => {
    fc.assert(
      fc.property(docs, docs, docs, (first, removed, added) => {
        const bytes = changedContainer(changedContainer(undefined, first, []), added, removed);
        const expected = new Set(first);
        for (const doc of removed) expected.delete(doc);
        for (const doc of added) expected.add(doc);
        const set = new DocSet();
        set.orContainer(0, bytes);
        expectDocs(
          set,
          [...expected].sort((a, b) => a - b),
        );
        expect(set.size).toBe(expected.size);
      }),
      { numRuns: 60 },
    );
  });

  it('is empty when everything is gone', () => {
    expect(changedContainer(changedContainer(undefined, [1, 2], []), [], [1, 2])).toHaveLength(0);
    const many = Array.from({ length: 9000 }, (_, i) => i);
    expect(changedContainer(changedContainer(undefined, many, []), [], many)).toHaveLength(0);
  });

  it('is what sets are, however many documents each chunk has', () => {
    const step = fc.tuple(fc.constantFrom('or', 'and', 'without', 'add', 'delete'), documents);
    fc.assert(
      fc.property(documents, fc.array(step, { maxLength: 6 }), (first, steps) => {
        let set = DocSet.of(first);
        let expected = new Set(first);
        const seen: Array<[DocSet, Set<number>]> = [];
        for (const [how, docs] of steps) {
          const before = set;
          seen.push([before, new Set(expected)]);
          set = set.copy();
          const other = DocSet.of(docs);
          const others = new Set(docs);
          if (how === 'or' || how === 'and' || how === 'without') set[how](other);
          else for (const doc of docs) set[how](doc);
          if (how === 'or' || how === 'add') expected = new Set([...expected, ...others]);
          else expected = new Set([...expected].filter((doc) => others.has(doc) === (how === 'and')));
          seen.push([other, others]);
        }
        // None of them has changed another one.
        for (const [one, docs] of [...seen, [set, expected] as const]) {
          const sorted = [...docs].sort((a, b) => a - b);
          expectDocs(one, sorted);
          expectDocs(one.toArray(), sorted);
          expect(one.isEmpty).toBe(docs.size === 0);
          expect(one.size).toBe(docs.size);
          expect(sorted.every((doc) => one.has(doc) && one.has(doc + 1) === docs.has(doc + 1))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is what several sets share, which stay as they are', () => {
    fc.assert(
      fc.property(fc.array(documents, { minLength: 1, maxLength: 5 }), fc.boolean(), (lists, twice) => {
        const sets = lists.map((list) => DocSet.of(list));
        if (twice) sets.push(sets[0]!);
        const shared = DocSet.allOf(sets);
        const expected = lists[0]!.filter((doc) => lists.every((list) => list.includes(doc)));
        expectDocs(
          shared,
          expected.sort((a, b) => a - b),
        );
        expect(shared.size).toBe(expected.length);
        expect(shared.isEmpty).toBe(expected.length === 0);
        sets[0]!.add(65_535);
        shared.add(1);
        shared.delete(expected[0] ?? 1);
        expect(shared.has(65_535)).toBe(expected.includes(65_535));
        lists[0]!.push(...(sets[0]!.size > lists[0]!.length ? [65_535] : []));
        for (const [i, list] of lists.entries())
          expectDocs(
            sets[i]!,
            list.sort((a, b) => a - b),
          );
      }),
      { numRuns: 100 },
    );
  });

  it('takes documents of several chunks', () => {
    const set = new DocSet();
    set.orContainer(1, changedContainer(undefined, [65_536, 70_000], []));
    set.orContainer(1, changedContainer(undefined, [65_537], []));
    set.add(200_000);
    expect([...set]).toEqual([65_536, 65_537, 70_000, 200_000]);
    expect(set.has(131_072)).toBe(false);
  });
});
