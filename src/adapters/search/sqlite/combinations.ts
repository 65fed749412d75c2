import type { Counter } from './base-scope.js';
import type { Column } from './column.js';
import type { DocSet } from './doc-set.js';
import type { Steps } from './steps.js';

/** Between the values of a facet over two fields. */
export const NESTED = '␞';
/** More values than a field has: what the number of a combination is multiplied by. */
const RADIX = 2 ** 26;
const DOCS = 4096;

/**
 * How many documents have which values of the first of some fields, of those which of the second, and so on. Every
 * combination has a number; the empty one has 0.
 */
export class Combinations implements Counter {
  /** By number of a combination without its last value times RADIX, plus the ordinal of that value. */
  private readonly numbers = new Map<number, number>();
  private readonly counts = [0];
  private readonly keys = [0];
  private readonly depths = [0];

  constructor(
    readonly fields: readonly string[],
    private readonly columns: readonly Column[],
  ) {}

  get size(): number {
    return this.counts.length - 1;
  }

  *countAll(docs: DocSet): Steps<void> {
    let seen = 0;
    for (const doc of docs) {
      if (++seen % DOCS === 0) yield;
      this.count(doc, 1);
    }
  }

  count(doc: number, by: 1 | -1): void {
    this.countWithin(0, 0, doc, by);
  }

  /** @param atLeast leaves out whatever counts less */
  forEach(visit: (count: number, name: string) => void, atLeast: () => number = () => 1): void {
    for (let number = 1; number < this.counts.length; number++) {
      if (this.counts[number]! >= atLeast()) visit(this.counts[number]!, this.nameOf(number));
    }
  }

  private countWithin(prefix: number, depth: number, doc: number, by: 1 | -1): void {
    const column = this.columns[depth];
    if (!column) return;
    column.forEachOrdinal(doc, (ordinal) => {
      const key = prefix * RADIX + ordinal;
      let number = this.numbers.get(key);
      if (number === undefined) {
        number = this.counts.push(0) - 1;
        this.numbers.set(key, number);
        this.keys.push(key);
        this.depths.push(depth);
      }
      this.counts[number]! += by;
      this.countWithin(number, depth + 1, doc, by);
    });
  }

  private nameOf(number: number): string {
    const [key, depth] = [this.keys[number]!, this.depths[number]!];
    const value = String(this.columns[depth]!.values[key % RADIX]);
    return depth === 0 ? value : this.nameOf(Math.floor(key / RADIX)) + NESTED + value;
  }
}
