import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DocSet } from '../columns/doc-set.js';
import { IndexFile } from '../index-file.js';
import { firstOf, Members } from './members.js';
import { UrnOrder } from '../columns/urn-order.js';

/** So many that sets are not met with each other at once. */
const DOCS = 210_000;
/** Later documents, which stand between the others. */
const FRESH = 500;

/** Another order than that of the numbers. */
const placeOf = (doc: number) => (doc * 7919) % 1_000_003;

describe('the first of the members in the order of URNs', () => {
  let file: IndexFile;
  let order: UrnOrder;

  beforeAll(() => {
    file = new IndexFile(':memory:');
    file.prepare('of this spec');
    const add = (from: number, to: number) =>
      file.write(() => {
        const sql = `INSERT INTO doc (id, urn, entity, sequence, body) VALUES (?, ?, 'x', 1, '{}')`;
        for (let doc = from; doc <= to; doc++) file.run(sql, doc, String(placeOf(doc)).padStart(7, '0'));
      });
    add(1, DOCS - FRESH);
    order = new UrnOrder().follow(file.connection);
    add(DOCS - FRESH + 1, DOCS);
    order.follow(file.connection);
  });
  afterAll(() => file.close());

  /** Documents that stand in some part of the order, and of these one of so many. */
  const setting = fc.record({
    from: fc.integer({ min: 0, max: 900_000 }),
    width: fc.constantFrom(20_000, 300_000, 1_000_003),
    every: fc.integer({ min: 1, max: 20 }),
    boost: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 30 }),
    page: fc.uniqueArray(fc.integer({ min: 1, max: DOCS }), { maxLength: 5 }),
  });
  const docs = Array.from({ length: DOCS }, (_, i) => i + 1);

  it('are those that a plain search finds, wherever they stand', () => {
    fc.assert(
      fc.property(fc.array(setting, { minLength: 1, maxLength: 3 }), (settings) => {
        const tests = settings.map(({ from, width, every, boost }) => ({
          hit: (doc: number) => doc % every === 0,
          named: (doc: number) => placeOf(doc) >= from && placeOf(doc) < from + width,
          boosted: (doc: number) => doc % 3 < boost,
        }));
        const all = tests.map(({ hit, named, boosted }) => {
          const sets = [DocSet.of(docs.filter(hit)), DocSet.of(docs.filter(named))];
          return { members: new Members(() => [sets]), docs: DocSet.of(docs.filter(boosted)) };
        });
        const [{ count, page }] = settings as [(typeof settings)[number]];
        const expected = docs
          .filter((doc) => tests.some((of) => of.hit(doc) && of.named(doc) && of.boosted(doc)))
          .filter((doc) => !page.includes(doc))
          .sort((a, b) => placeOf(a) - placeOf(b))
          .slice(0, count);
        const terms = { last: DOCS, order, isOrderRead: true };
        // The second time it is known where the sets stand.
        for (let turn = 0; turn < 2; turn++) {
          const steps = firstOf(file.connection, terms, all, count, page);
          let step = steps.next();
          while (!step.done) step = steps.next();
          expect(step.value).toEqual(expected);
        }
      }),
      { numRuns: 12 },
    );
  });
});
