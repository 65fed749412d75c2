import type { Counter } from '../columns/counted-docs.js';
import { Column } from '../columns/column.js';
import type { Steps } from '../steps.js';

/** Between the values of a facet over two fields. */
export const NESTED = '␞';
/** More values than a field has: what the number of a combination is multiplied by. */
const RADIX = 2 ** 26;
const DOCS = 4096;
/** As many of them take no longer where pairs of sets are counted. */
const PAIRED_DOCS = 65_536;
/** Up to so many pairs have a count each, whether they occur or not. */
const MOST_PAIRS = 1 << 16;
/** To look at so many counts takes as long as to look at a document. */
const PAIRS_FOR_A_DOC = 32;

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

  /** @param docs ascending */
  *countAll(docs: Uint32Array): Steps<void> {
    const [first, second, ...more] = this.columns;
    const most = Math.min(MOST_PAIRS, PAIRS_FOR_A_DOC * docs.length);
    if (first && second && more.length === 0 && first.setCount * second.setCount <= most) {
      yield* this.countPairs(docs, first, second);
      return;
    }
    let seen = 0;
    for (const doc of docs) {
      if (++seen % DOCS === 0) yield;
      this.count(doc, 1);
    }
  }

  count(doc: number, by: 1 | -1): void {
    this.countWithin(0, 0, (column) => column.setAt(doc), by);
  }

  /** Most documents have the same few pairs of sets: these are counted first, and what is in them once for each pair. */
  private *countPairs(docs: Uint32Array, first: Column, second: Column): Steps<void> {
    const width = second.setCount;
    const counts = new Uint32Array(first.setCount * width);
    for (let from = 0; from < docs.length; from += PAIRED_DOCS) {
      if (from > 0) yield;
      Column.countPairs(first, second, docs.subarray(from, from + PAIRED_DOCS), counts);
    }
    for (let pair = 0; pair < counts.length; pair++) {
      const set = (column: Column): number => (column === first ? Math.floor(pair / width) : pair % width);
      if (counts[pair]! > 0) this.countWithin(0, 0, set, counts[pair]!);
    }
  }

  /** @param atLeast leaves out whatever counts less */
  forEach(visit: (count: number, name: string) => void, atLeast: () => number = () => 1): void {
    for (let number = 1; number < this.counts.length; number++) {
      if (this.counts[number]! >= atLeast()) visit(this.counts[number]!, this.nameOf(number));
    }
  }

  private countWithin(prefix: number, depth: number, setIn: (column: Column) => number, by: number): void {
    const column = this.columns[depth];
    if (!column) return;
    column.forEachIn(setIn(column), (ordinal) => {
      const key = prefix * RADIX + ordinal;
      let number = this.numbers.get(key);
      if (number === undefined) {
        number = this.counts.push(0) - 1;
        this.numbers.set(key, number);
        this.keys.push(key);
        this.depths.push(depth);
      }
      this.counts[number]! += by;
      this.countWithin(number, depth + 1, setIn, by);
    });
  }

  private nameOf(number: number): string {
    const [key, depth] = [this.keys[number]!, this.depths[number]!];
    const value = String(this.columns[depth]!.values[key % RADIX]);
    return depth === 0 ? value : this.nameOf(Math.floor(key / RADIX)) + NESTED + value;
  }
}
