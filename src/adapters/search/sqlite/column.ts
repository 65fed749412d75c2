import { eachIn } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { Numbers } from './numbers.js';

export type ColumnValue = string | number;

/** So many sets of several values are found again; further ones may be there more than once. */
const MOST_SHARED = 65_536;

type Sets = Uint8Array | Uint16Array | Uint32Array;

/**
 * The values of one field by document number. A document has the number of its set of values (0 is the empty one), so
 * that counting is one look-up a document however many values it has. Most sets are a single value.
 */
export class Column {
  /** By ordinal. One that no document has any longer stays. */
  readonly values: ColumnValue[] = [];
  private readonly ordinals = new Map<ColumnValue, number>();
  /** By ordinal: the set of that value alone, 0 while there is none. */
  private readonly singles = new Numbers();
  private readonly severals = new Map<string, number>();
  /** The ordinals of set `s` are `members` from `ends[s - 1]` to `ends[s]`, ascending. */
  private readonly members = new Numbers();
  private readonly ends = new Numbers();

  /** @param sets by document number */
  constructor(private sets: Sets = new Uint8Array(1)) {
    this.ends.push(0);
  }

  /**
   * @param field its number in the index
   * @param docs how many document numbers there are
   */
  static read(file: IndexConnection, field: number, docs: number): Column {
    const column = new Column(new Uint32Array(docs));
    // For each document a chain of its values, the last one first.
    const heads = new Uint32Array(docs);
    const links = new Numbers();
    const ordinals = new Numbers();
    ordinals.push(links.push(0));
    let ordinal = 0;
    const add = (doc: number) => {
      ordinals.push(ordinal);
      heads[doc] = links.push(heads[doc]!);
    };
    const rows = file.rows<readonly [ColumnValue, number | null, number | null, Uint8Array | null]>(
      `SELECT t.value, t.doc, p.chunk, p.docs FROM term t LEFT JOIN posting p ON p.id = t.posting
        WHERE t.field = ? AND t.value < x'' ORDER BY t.value`,
      field,
    );
    for (const [value, doc, chunk, bytes] of rows) {
      ordinal = column.ordinalOf(value);
      if (doc !== null) add(doc);
      else if (chunk !== null && bytes !== null) eachIn(chunk, bytes, add);
    }
    for (let doc = 0; doc < docs; doc++) {
      const own: number[] = [];
      for (let link = heads[doc]!; link !== 0; link = links.at(link)) own.push(ordinals.at(link));
      if (own.length > 0) column.sets[doc] = column.setOf(own.reverse());
    }
    column.sets = new (wide(column.setCount))(column.sets);
    return column;
  }

  /** Another one for changes to come. What is only ever added to is shared. */
  copy(): Column {
    return Object.assign(Object.create(Column.prototype) as Column, this, { sets: this.sets.slice() });
  }

  /** The number of the document's set of values. */
  setAt(doc: number): number {
    return this.sets[doc] ?? 0;
  }

  get setCount(): number {
    return this.ends.length;
  }

  /** The ordinals of the values in a set, ascending. */
  ordinalsOf(set: number): number[] {
    const found: number[] = [];
    if (set === 0) return found;
    for (let at = this.ends.at(set - 1); at < this.ends.at(set); at++) found.push(this.members.at(at));
    return found;
  }

  /** Of a field with one number a document; NaN where it has none. */
  numberOf(doc: number): number {
    const set = this.setAt(doc);
    return set === 0 ? NaN : Number(this.values[this.members.at(this.ends.at(set - 1))]);
  }

  add(doc: number, value: ColumnValue): void {
    const ordinal = this.ordinalOf(value);
    const own = this.ordinalsOf(this.setAt(doc));
    if (!own.includes(ordinal))
      this.put(
        doc,
        [...own, ordinal].sort((a, b) => a - b),
      );
  }

  remove(doc: number, value: ColumnValue): void {
    const ordinal = this.ordinals.get(value);
    const own = this.ordinalsOf(this.setAt(doc));
    const rest = own.filter((other) => other !== ordinal);
    if (rest.length < own.length) this.put(doc, rest);
  }

  /** Whether most of it is left over from values that documents had before. */
  get isWorn(): boolean {
    return this.setCount > MOST_SHARED + 2 * this.sets.length;
  }

  private put(doc: number, ordinals: readonly number[]): void {
    const set = this.setOf(ordinals);
    const { length, BYTES_PER_ELEMENT } = this.sets;
    const Wide = wide(this.setCount);
    if (doc >= length || Wide.BYTES_PER_ELEMENT > BYTES_PER_ELEMENT) {
      const sets = new Wide(doc < length ? length : doc + 1024 + (doc >>> 4));
      sets.set(this.sets);
      this.sets = sets;
    }
    this.sets[doc] = set;
  }

  private ordinalOf(value: ColumnValue): number {
    let ordinal = this.ordinals.get(value);
    if (ordinal === undefined) {
      ordinal = this.singles.push(0);
      this.values.push(value);
      this.ordinals.set(value, ordinal);
    }
    return ordinal;
  }

  private setOf(ordinals: readonly number[]): number {
    const [first] = ordinals;
    if (first === undefined) return 0;
    if (ordinals.length === 1) {
      if (this.singles.at(first) === 0) this.singles.set(first, this.newSet(ordinals));
      return this.singles.at(first);
    }
    const key = ordinals.join(' ');
    let set = this.severals.get(key);
    if (set === undefined) {
      set = this.newSet(ordinals);
      if (this.severals.size < MOST_SHARED) this.severals.set(key, set);
    }
    return set;
  }

  private newSet(ordinals: readonly number[]): number {
    for (const ordinal of ordinals) this.members.push(ordinal);
    return this.ends.push(this.members.length);
  }
}

/** Arrays that hold numbers up to this one, and a few more. */
function wide(most: number) {
  return most < 2 ** 8 ? Uint8Array : most < 2 ** 16 ? Uint16Array : Uint32Array;
}
