import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DocSet } from './doc-set.js';
import { IndexConnection } from '../index-connection.js';
import type { Steps } from '../steps.js';
import { UrnOrder } from './urn-order.js';

function ended<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('the order of URNs', () => {
  /** URNs in the order in which they come, with the number of those that come between two looks. */
  const arrivals = fc.tuple(
    fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '\u{e000}', '\u{10000}'), maxLength: 7 }), {
      maxLength: 300,
    }),
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 }),
  );

  it('is that of the texts however they come', () => {
    fc.assert(
      fc.property(arrivals, fc.boolean(), ([urns, steps], many) => {
        const file = new IndexConnection(':memory:');
        file.exec('CREATE TABLE doc (id INTEGER PRIMARY KEY, urn TEXT NOT NULL UNIQUE)');
        // With many in the beginning, few that come later are put between them.
        for (let i = 0; many && i < 1500; i++) file.run('INSERT INTO doc (urn) VALUES (?)', `ab${i}`);
        const order = new UrnOrder().follow(file);
        for (let from = 0, turn = 0; from < urns.length; turn++) {
          const to = from + steps[turn % steps.length]!;
          for (const urn of urns.slice(from, to)) file.run('INSERT INTO doc (urn) VALUES (?)', urn);
          from = to;
          const expected = file.all<[number]>('SELECT id FROM doc ORDER BY urn').map(([id]) => id);
          const { keys } = order.follow(file);
          expect(expected.toSorted((a, b) => keys[a]! - keys[b]!)).toEqual(expected);
          expect(new Set(expected.map((doc) => keys[doc])).size).toBe(expected.length);
          const wanted = expected.filter((doc) => doc % 3 !== 0);
          const docs = DocSet.of(wanted.toSorted((a, b) => a - b));
          const [after] = wanted.slice(turn);
          for (const descending of [false, true]) {
            const all = descending ? wanted.toReversed() : wanted;
            const pageAfter = (key: number | undefined, most = Infinity) =>
              order.first(docs, 5, { descending, after: key, most });
            const leastAfter = (key: number | undefined) =>
              ended(order.least(docs, 5, { descending, after: key }));
            expect(pageAfter(undefined)).toEqual(all.slice(0, 5));
            expect(leastAfter(undefined)).toEqual(all.slice(0, 5));
            if (all.length > 0) expect(pageAfter(undefined, 0)).toBeUndefined();
            if (after === undefined) continue;
            const next = all.slice(all.indexOf(after) + 1).slice(0, 5);
            expect(pageAfter(keys[after])).toEqual(next);
            expect(leastAfter(keys[after])).toEqual(next);
          }
        }
        file.close();
      }),
      { numRuns: 40 },
    );
  });
});
