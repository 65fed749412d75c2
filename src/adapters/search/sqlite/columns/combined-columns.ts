import type { Column } from './column.js';

/** So many combinations there may be, whether documents have them or not. */
const MOST = 1 << 16;
/** Room for so many more values: each that comes beyond it ends the combination. */
const MORE = 1 / 8;

/**
 * Columns of few single values as one: a document has the number of its combination of values, so that all of these columns are
 * counted by one look at it. Its digits are the numbers of the values, each with a radix of its own.
 */
export class CombinedColumns {
  private readonly counts: Uint32Array;

  private constructor(
    private readonly columns: readonly Column[],
    private readonly radices: readonly number[],
    /** By document number. */
    private numbers: Uint16Array,
  ) {
    this.counts = new Uint32Array(radices.reduce((product, radix) => product * radix, 1));
  }

  /**
   * Those of the columns that have few values together, those of few values first; undefined when they are fewer than two.
   * @param docs how many document numbers there are
   */
  static of(columns: readonly Column[], docs: number): CombinedColumns | undefined {
    const taken: Column[] = [];
    const radices: number[] = [];
    let product = 1;
    for (const column of columns.toSorted((a, b) => a.values.length - b.values.length)) {
      const { length } = column.values;
      if (length < 2 || !column.hasSinglesOnly) continue;
      const radix = length + 1 + Math.floor(length * MORE);
      if ((product *= radix) > MOST) break;
      taken.push(column);
      radices.push(radix);
    }
    if (taken.length < 2) return undefined;
    const numbers = new Uint16Array(docs);
    for (const [i, column] of taken.entries()) column.addDigits(numbers, radices[i]!);
    return new CombinedColumns(taken, radices, numbers);
  }

  /** Up to so many documents are counted as fast by their columns. */
  get few(): number {
    return this.counts.length >>> 3;
  }

  get bytes(): number {
    return this.numbers.byteLength + this.counts.byteLength;
  }

  /** Takes up what the columns have of a document since it changed. Answers false when they go together no longer. */
  follow(doc: number): boolean {
    let number = 0;
    for (const [i, column] of this.columns.entries()) {
      const set = column.setAt(doc);
      if (set % 2 !== 0 || set / 2 >= this.radices[i]!) return false;
      number = number * this.radices[i]! + set / 2;
    }
    if (doc >= this.numbers.length) {
      const numbers = new Uint16Array(doc + 1024 + (doc >>> 4));
      numbers.set(this.numbers);
      this.numbers = numbers;
    }
    this.numbers[doc] = number;
    return true;
  }

  /** For each of the columns how many of the documents, which ascend, have each value, by its ordinal plus one. */
  count(docs: Uint32Array): Map<Column, Uint32Array> {
    const { columns, radices, numbers, counts } = this;
    counts.fill(0);
    let end = docs.length;
    while (end > 0 && docs[end - 1]! >= numbers.length) end--;
    for (let i = 0; i < end; i++) counts[numbers[docs[i]!]!]!++;
    const found = new Map<Column, Uint32Array>();
    // The last digit is taken off all numbers, then the one before it.
    let left = counts.length;
    for (let i = columns.length - 1; i >= 0; i--) {
      const radix = radices[i]!;
      const ofDigit = new Uint32Array(radix);
      left /= radix;
      for (let number = 0, at = 0; number < left; number++) {
        let all = 0;
        for (let digit = 0; digit < radix; digit++, at++) {
          const count = counts[at]!;
          ofDigit[digit]! += count;
          all += count;
        }
        counts[number] = all;
      }
      found.set(columns[i]!, ofDigit);
    }
    return found;
  }
}
