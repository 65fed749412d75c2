import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Column } from './column.js';
import { CombinedColumns } from './combined-columns.js';

const DOCS = 200;
const changes = fc.array(
  fc.record({
    doc: fc.integer({ min: 1, max: DOCS + 2000 }),
    column: fc.nat(2),
    value: fc.option(fc.nat(14)),
  }),
  { maxLength: 30 },
);

/** Columns of which a document has one value at the most, or none. */
function columnsOf(values: ReadonlyArray<readonly number[]>): Column[] {
  return values.map((of) => {
    const column = new Column();
    for (const [i, value] of of.entries()) if (value >= 0) column.add(i + 1, value);
    return column;
  });
}

function countsIn(column: Column, docs: Uint32Array): number[] {
  const counts = new Array<number>(column.values.length).fill(0);
  column.countValues(docs, (count, ordinal) => (counts[ordinal] = count));
  return counts;
}

describe('combined columns', () => {
  const few = (most: number) =>
    fc.array(fc.integer({ min: -1, max: most }), { minLength: DOCS, maxLength: DOCS });

  it('count what each of them counts, whatever is written', () => {
    fc.assert(
      fc.property(
        few(1),
        few(12),
        few(4),
        changes,
        fc.infiniteStream(fc.boolean()),
        (a, b, c, changed, wanted) => {
          const columns = columnsOf([a, b, c]);
          const combined = CombinedColumns.of(columns, DOCS + 1);
          if (!combined) return;
          const compare = () => {
            // More documents than the columns know of.
            const docs = Uint32Array.from({ length: DOCS + 3000 }, (_, i) => i + 1).filter(
              () => wanted.next().value,
            );
            const found = combined.count(docs);
            expect(found.size).toBeGreaterThan(1);
            for (const [column, counts] of found) {
              const expected = countsIn(column, docs);
              expect([...counts.subarray(1, expected.length + 1)]).toEqual(expected);
            }
          };
          compare();
          for (const { doc, column, value } of changed) {
            const one = columns[column]!;
            for (const before of one.valuesOf(doc)) one.remove(doc, before);
            if (value !== null) one.add(doc, value);
            // A value beyond the room that there is for more.
            if (!combined.follow(doc)) return;
          }
          compare();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are those of few single values', () => {
    const single = columnsOf([[1, 2], [1, 2], [1, 1], Array.from({ length: 40_000 }, (_, i) => i)]);
    const several = columnsOf([[1, 2]])[0]!;
    several.add(1, 5);
    const combined = CombinedColumns.of([...single, several], 3)!;
    const found = combined.count(Uint32Array.of(1));
    expect([...single, several].map((column) => found.has(column))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(CombinedColumns.of(single.slice(1), 3)).toBeUndefined();
    single[0]!.add(1, 3);
    expect(combined.follow(1)).toBe(false);
  });
});
