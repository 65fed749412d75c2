import { compareTexts } from '../../../../catalog/search/index.js';
import { eachIn } from './stored-container.js';
import type { IndexConnection } from '../index-connection.js';
import { Numbers } from './numbers.js';
import { HAS_LONG } from './terms.js';

export type ColumnValue = string | number;

/** So many sets of several values are found again; further ones may be there more than once. */
const MOST_SHARED = 65_536;

/** Up to so many sets are counted themselves, rather than their values: the counts stay in the caches of the processor. */
const MOST_COUNTED = 65_536;

/** Marks the last member of a set, and what is left of it without the mark. */
const LAST = 2 ** 31;
const ORDINAL = LAST - 1;

type Sets = Uint8Array | Uint16Array | Uint32Array;

/**
 * The values of one field by document number. A document has the number of its set of values, so that counting is one
 * look-up a document however many values it has. Most sets are a single value: their number tells which. The empty set is
 * 0, that of the value with ordinal `o` alone `2 * (o + 1)`, and those of several values have the odd numbers.
 */
export class Column {
  /** By ordinal. One that no document has any longer stays. */
  readonly values: ColumnValue[] = [];
  private readonly ordinals = new Map<ColumnValue, number>();
  /** So many of the values were read in the order of their texts. */
  private inOrder = 0;
  private readonly severals = new Map<string, number>();
  /** The ordinals of set `2 * n + 1` are `members` from `n` on, ascending, up to one that is marked as the last. */
  private readonly members = new Numbers();

  /** Documents with values that are in their bodies only. */
  readonly long = new Set<number>();

  /** @param sets by document number */
  constructor(private sets: Sets = new Uint8Array(1)) {}

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
    if (typeof column.values[0] === 'string') column.inOrder = column.values.length;
    for (let doc = 0; doc < docs; doc++) {
      const own: number[] = [];
      for (let link = heads[doc]!; link !== 0; link = links.at(link)) own.push(ordinals.at(link));
      if (own.length > 0) column.sets[doc] = column.setOf(own.reverse());
    }
    column.sets = new (wide(column.setCount))(column.sets);
    const long = file.rows<readonly [number | null, number | null, Uint8Array | null]>(
      `SELECT t.doc, p.chunk, p.docs FROM term t LEFT JOIN posting p ON p.id = t.posting
        WHERE t.field = ? AND t.value = ?`,
      field,
      HAS_LONG,
    );
    for (const [doc, chunk, bytes] of long) {
      if (doc !== null) column.long.add(doc);
      else if (chunk !== null && bytes !== null) eachIn(chunk, bytes, (one) => column.long.add(one));
    }
    return column;
  }

  /** The number of the document's set of values. */
  setAt(doc: number): number {
    return this.sets[doc] ?? 0;
  }

  /** More than the number of any set. */
  get setCount(): number {
    return Math.max(2 * this.values.length + 1, 2 * this.members.length);
  }

  /** Whether no document has several values, and there never were such. */
  get hasSinglesOnly(): boolean {
    return this.members.length === 0;
  }

  /** Takes the numbers of documents times a radix, and adds the ordinal of their single value plus one, or 0 without one. */
  addDigits(numbers: Uint16Array, radix: number): void {
    const { sets } = this;
    const end = Math.min(numbers.length, sets.length);
    for (let doc = 0; doc < end; doc++) numbers[doc] = numbers[doc]! * radix + (sets[doc]! >>> 1);
    for (let doc = end; doc < numbers.length; doc++) numbers[doc]! *= radix;
  }

  /** The ordinals of the values in a set, ascending. */
  ordinalsOf(set: number): number[] {
    if (set === 0) return [];
    if ((set & 1) === 0) return [(set >>> 1) - 1];
    const found: number[] = [];
    for (let at = set >>> 1, member = 0; member < LAST; at++) {
      member = this.members.at(at);
      found.push(member & ORDINAL);
    }
    return found;
  }

  /** Calls back with the ordinal of each value in a set, ascending. */
  forEachIn(set: number, visit: (ordinal: number) => void): void {
    if ((set & 1) !== 0) for (const ordinal of this.ordinalsOf(set)) visit(ordinal);
    else if (set !== 0) visit((set >>> 1) - 1);
  }

  /** Whether the text of a value stands before that of another, by their ordinals. */
  isBefore(one: number, other: number): boolean {
    if (one < this.inOrder && other < this.inOrder) return one < other;
    return compareTexts(String(this.values[one]), String(this.values[other])) < 0;
  }

  valuesOf(doc: number): ColumnValue[] {
    return this.ordinalsOf(this.setAt(doc)).map((ordinal) => this.values[ordinal]!);
  }

  /** The sets with a value that passes. */
  setsWith(passes: (value: ColumnValue) => boolean): Set<number> {
    const ordinals = new Set(this.values.flatMap((value, ordinal) => (passes(value) ? [ordinal] : [])));
    const found = new Set([...ordinals].map((ordinal) => 2 * (ordinal + 1)));
    let several = 0;
    for (const [at, member] of this.members.all.entries()) {
      if (ordinals.has(member & ORDINAL)) found.add(2 * several + 1);
      if (member >= LAST) several = at + 1;
    }
    return found;
  }

  /** How many of the documents have each set of values: those that some have. */
  *tally(docs: Uint32Array): Generator<readonly [set: number, count: number]> {
    const { setCount } = this;
    if (docs.length < setCount >>> 2) {
      const counts = new Map<number, number>();
      for (const doc of docs) counts.set(this.setAt(doc), (counts.get(this.setAt(doc)) ?? 0) + 1);
      yield* counts;
      return;
    }
    const counts = this.setCounts(docs);
    for (let set = 0; set < setCount; set++) if (counts[set]! > 0) yield [set, counts[set]!];
  }

  /** Calls back with how many of the documents, which ascend, have a value, by its ordinal: for those that some have. */
  countValues(docs: Uint32Array, visit: (count: number, ordinal: number) => void): void {
    const members = this.members.all;
    // Of documents without a value first, so that the number of most sets tells the place.
    const places = this.values.length + 1;
    if (docs.length * 4 < places) {
      countFew(setsOf(this.sets, docs), members, places, visit);
      return;
    }
    const counts = zeros(places);
    if (docs.length < this.setCount || this.setCount > MOST_COUNTED) {
      const severals = countSingles(setsOf(this.sets, docs), counts);
      // All have two, some have more. No branch in the loop: none of these can be foreseen.
      let more = 0;
      for (let i = 0; i < severals.length; i++) {
        const at = severals[i]!;
        const second = members[at + 1]!;
        counts[members[at]! + 1]!++;
        counts[(second & ORDINAL) + 1]!++;
        severals[more] = at + 2;
        more += 1 - (second >>> 31);
      }
      for (let i = 0; i < more; i++) countFrom(members, severals[i]!, counts, 1);
    } else {
      const ofSets = this.setCounts(docs);
      for (let set = 1; set < ofSets.length; set++) {
        const by = ofSets[set]!;
        if (by === 0) continue;
        if ((set & 1) === 0) counts[set >>> 1]! += by;
        else countFrom(members, set >>> 1, counts, by);
      }
    }
    for (let place = 1; place < places; place++) if (counts[place]! > 0) visit(counts[place]!, place - 1);
  }

  /** Adds, for each pair of a set of one field and a set of another, how many of the documents, which ascend, have both. */
  static countPairs(one: Column, other: Column, docs: Uint32Array, counts: Uint32Array): void {
    countInRows(other.sets, docs, setsOf(one.sets, docs), other.setCount, counts);
  }

  private setCounts(docs: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.setCount);
    countSets(this.sets, docs, counts);
    return counts;
  }

  /** Of a field with one number a document; NaN where it has none. */
  numberOf(doc: number): number {
    const [ordinal] = this.ordinalsOf(this.setAt(doc));
    return ordinal === undefined ? NaN : Number(this.values[ordinal]);
  }

  /** @param value null for one that is in its body only; likewise below */
  add(doc: number, value: ColumnValue | null): void {
    if (value === null) {
      this.long.add(doc);
      return;
    }
    const ordinal = this.ordinalOf(value);
    const own = this.ordinalsOf(this.setAt(doc));
    if (!own.includes(ordinal))
      this.put(
        doc,
        [...own, ordinal].sort((a, b) => a - b),
      );
  }

  remove(doc: number, value: ColumnValue | null): void {
    if (value === null) {
      this.long.delete(doc);
      return;
    }
    const ordinal = this.ordinals.get(value);
    const own = this.ordinalsOf(this.setAt(doc));
    const rest = own.filter((other) => other !== ordinal);
    if (rest.length < own.length) this.put(doc, rest);
  }

  /** About what it takes, without the texts of its values. */
  get bytes(): number {
    const { sets, members, values, severals, long } = this;
    return sets.byteLength + members.bytes + 96 * (values.length + severals.size) + 40 * long.size;
  }

  /** Whether most of it is left over from values that documents had before. */
  get isWorn(): boolean {
    return this.values.length + this.members.length > MOST_SHARED + 4 * this.sets.length;
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
      ordinal = this.values.push(value) - 1;
      this.ordinals.set(value, ordinal);
    }
    return ordinal;
  }

  private setOf(ordinals: readonly number[]): number {
    const [first] = ordinals;
    if (first === undefined) return 0;
    if (ordinals.length === 1) return 2 * (first + 1);
    const key = ordinals.join(' ');
    let set = this.severals.get(key);
    if (set === undefined) {
      set = this.newSet(ordinals);
      if (this.severals.size < MOST_SHARED) this.severals.set(key, set);
    }
    return set;
  }

  private newSet(ordinals: readonly number[]): number {
    const first = this.members.length;
    for (const ordinal of ordinals.slice(0, -1)) this.members.push(ordinal);
    this.members.push(ordinals.at(-1)! + LAST);
    return 2 * first + 1;
  }
}

/** Arrays that hold numbers up to this one, and a few more. */
function wide(most: number) {
  return most < 2 ** 8 ? Uint8Array : most < 2 ** 16 ? Uint16Array : Uint32Array;
}

/** From so many documents on it pays to count in four counts. */
const MANY = 1024;

/** Counts by set of the documents, which ascend. Code for one kind of array is several times as fast as for all. */
function countSets(sets: Sets, docs: Uint32Array, counts: Uint32Array): void {
  const end = within(sets, docs);
  counts[0]! += docs.length - end;
  if (sets instanceof Uint8Array && end >= MANY) countBytes(sets, docs.subarray(0, end), counts);
  else if (sets instanceof Uint8Array) for (let i = 0; i < end; i++) counts[sets[docs[i]!]!]!++;
  else if (sets instanceof Uint16Array) for (let i = 0; i < end; i++) counts[sets[docs[i]!]!]!++;
  else for (let i = 0; i < end; i++) counts[sets[docs[i]!]!]!++;
}

const besides = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)] as const;

/** In four counts: where most documents have the same set, each addition to a single one would wait for the last. */
function countBytes(sets: Uint8Array, docs: Uint32Array, first: Uint32Array): void {
  const [second, third, fourth] = besides;
  for (const counts of besides) counts.fill(0);
  let i = 0;
  for (; i + 3 < docs.length; i += 4) {
    first[sets[docs[i]!]!]!++;
    second[sets[docs[i + 1]!]!]!++;
    third[sets[docs[i + 2]!]!]!++;
    fourth[sets[docs[i + 3]!]!]!++;
  }
  for (; i < docs.length; i++) first[sets[docs[i]!]!]!++;
  for (let set = 0; set < first.length; set++) first[set]! += second[set]! + third[set]! + fourth[set]!;
}

/** Counts by row, which is given of each document, and by set. @param width how long a row is */
function countInRows(
  sets: Sets,
  docs: Uint32Array,
  rows: Uint32Array,
  width: number,
  counts: Uint32Array,
): void {
  const end = Math.min(rows.length, within(sets, docs));
  if (sets instanceof Uint8Array) for (let i = 0; i < end; i++) counts[rows[i]! * width + sets[docs[i]!]!]!++;
  else if (sets instanceof Uint16Array)
    for (let i = 0; i < end; i++) counts[rows[i]! * width + sets[docs[i]!]!]!++;
  else for (let i = 0; i < end; i++) counts[rows[i]! * width + sets[docs[i]!]!]!++;
  for (let i = end; i < rows.length; i++) counts[rows[i]! * width]!++;
}

/** Counts the members of a set from one on, by their ordinals. */
function countFrom(members: Uint32Array, from: number, counts: Uint32Array, by: number): void {
  for (let at = from, member = 0; member < LAST; at++) {
    member = members[at]!;
    counts[(member & ORDINAL) + 1]! += by;
  }
}

/** What one count needs for itself, kept for the next one. */
let [ofDocs, ofPlaces, taken] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];

/** The sets of the documents, which ascend. Good until the next call. */
function setsOf(sets: Sets, docs: Uint32Array): Uint32Array {
  const length = within(sets, docs);
  if (ofDocs.length < length) ofDocs = new Uint32Array(2 * length);
  const found = ofDocs;
  if (sets instanceof Uint8Array) for (let i = 0; i < length; i++) found[i] = sets[docs[i]!]!;
  else if (sets instanceof Uint16Array) for (let i = 0; i < length; i++) found[i] = sets[docs[i]!]!;
  else for (let i = 0; i < length; i++) found[i] = sets[docs[i]!]!;
  return found.subarray(0, length);
}

/** So many zeros. Good until the next call. */
function zeros(length: number): Uint32Array {
  if (ofPlaces.length < length) ofPlaces = new Uint32Array(2 * length);
  else ofPlaces.fill(0, 0, length);
  return ofPlaces;
}

/** Counts by value where these are many more than the documents: only the places that were taken are looked at. */
function countFew(
  sets: Uint32Array,
  members: Uint32Array,
  places: number,
  visit: (count: number, ordinal: number) => void,
): void {
  if (taken.length < places) taken = new Uint32Array(2 * places);
  const counts = taken;
  const ordinals: number[] = [];
  const count = (ordinal: number): void => {
    if (counts[ordinal]!++ === 0) ordinals.push(ordinal);
  };
  for (let i = 0; i < sets.length; i++) {
    const set = sets[i]!;
    if ((set & 1) === 0) {
      if (set !== 0) count((set >>> 1) - 1);
      continue;
    }
    let at = set >>> 1;
    for (; members[at]! < LAST; at++) count(members[at]!);
    count(members[at]! & ORDINAL);
  }
  const found = ordinals.map((ordinal) => counts[ordinal]!);
  for (const ordinal of ordinals) counts[ordinal] = 0;
  found.forEach((one, i) => visit(one, ordinals[i]!));
}

/** Counts the sets of a single value by their halves, and puts what is left of the others at the beginning of the list. */
function countSingles(sets: Uint32Array, counts: Uint32Array): Uint32Array {
  let severals = 0;
  for (let i = 0; i < sets.length; i++) {
    const set = sets[i]!;
    const isSeveral = set & 1;
    const half = set >>> 1;
    counts[half & (isSeveral - 1)]!++;
    sets[severals] = half;
    severals += isSeveral;
  }
  return sets.subarray(0, severals);
}

/** How many of the ascending documents are not beyond the end. */
function within(sets: Sets, docs: Uint32Array): number {
  let end = docs.length;
  while (end > 0 && docs[end - 1]! >= sets.length) end--;
  return end;
}
