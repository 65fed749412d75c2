import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changedContainer, DocSet } from './doc-set.js';

const docs = fc.uniqueArray(fc.nat({ max: 65_535 }), { maxLength: 6000 });

describe('doc set', () => {
  it('keeps what was put into a container, however many', () => {
    fc.assert(
      fc.property(docs, docs, docs, (first, removed, added) => {
        const bytes = changedContainer(changedContainer(undefined, first, []), added, removed);
        const expected = new Set(first);
        for (const doc of removed) expected.delete(doc);
        for (const doc of added) expected.add(doc);
        const set = new DocSet(1);
        set.orContainer(0, bytes);
        expect([...set]).toEqual([...expected].sort((a, b) => a - b));
        expect(set.size).toBe(expected.size);
        const some = new DocSet(1);
        for (const doc of first) some.add(doc);
        expect(some.countContainer(0, bytes)).toBe([...expected].filter((doc) => some.has(doc)).length);
      }),
      { numRuns: 60 },
    );
  });

  it('is empty when everything is gone', () => {
    expect(changedContainer(changedContainer(undefined, [1, 2], []), [], [1, 2])).toHaveLength(0);
    const many = Array.from({ length: 9000 }, (_, i) => i);
    expect(changedContainer(changedContainer(undefined, many, []), [], many)).toHaveLength(0);
  });

  it('takes documents of later chunks, and leaves out those beyond its end', () => {
    const set = new DocSet(2);
    set.orContainer(1, changedContainer(undefined, [65_536, 70_000], []));
    set.orContainer(2, changedContainer(undefined, [131_072], []));
    set.add(200_000);
    expect([...set]).toEqual([65_536, 70_000]);
    expect(set.has(200_000)).toBe(false);
  });
});
