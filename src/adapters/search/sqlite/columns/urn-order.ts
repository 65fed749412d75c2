import { Best } from '../query/best.js';
import { CHUNK_DOCS } from './container.js';
import type { DocSet } from './doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { URN_INDEX } from '../index-file.js';
import { numbersIn } from './numbers.js';
import type { Steps } from '../steps.js';

/** So many documents may come before all are put in order again: a few, and a part of those that there were. */
const MOST_FRESH = 1000;
const FRESH_PART = 1 / 16;

/** The last of the steps into which the order is divided. */
const MOST_STEPS = 255;

/** The documents of the chunk that is looked at. */
const ofChunk = new Uint32Array(CHUNK_DOCS);

/**
 * The order of URNs (by code points) as a number for each document. No document ever gets another place among others,
 * so this may know documents that a search does not see.
 */
export class UrnOrder {
  /**
   * By document number. Documents that were put in order together have whole numbers from 0 on; those that came since
   * stand between them.
   */
  keys = new Float64Array(0);
  /** The same in 256 steps of `width` known documents each: an eighth of the memory to look into. */
  private coarse = new Uint8Array(0);
  private width = 1;
  private last = 0;
  /** The steps that the documents of some sets stand in. */
  private steps = new WeakMap<DocSet, Uint8Array>();
  /** The first documents of sets that stay as they are: no later document comes between those of a set. */
  readonly firsts = new WeakMap<DocSet, readonly number[]>();
  /** The documents with whole numbers, in order. */
  private known = new Uint32Array(0);
  /** Those that came since, in order, and how many of the others stand before each. */
  private fresh = new Float64Array(0);
  private before = new Float64Array(0);

  /** Whether it has been read. */
  get isRead(): boolean {
    return this.last > 0;
  }

  /** Takes up the documents that the connection sees; to be called before the keys are used. */
  follow(file: IndexConnection): this {
    const last = file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
    if (last <= this.last) return this;
    if (last >= this.keys.length) {
      const keys = new Float64Array(last + 1024 + (last >>> 4));
      keys.set(this.keys);
      this.keys = keys;
      const coarse = new Uint8Array(keys.length);
      coarse.set(this.coarse);
      this.coarse = coarse;
    }
    if (last - this.last + this.fresh.length > MOST_FRESH + this.known.length * FRESH_PART)
      this.arrange(file);
    else this.insert(file);
    this.last = last;
    return this;
  }

  /** The key of the last document up to a URN, or of the first one from it on; beyond all keys when there is none. */
  keyAt(file: IndexConnection, urn: string, side: 'upTo' | 'from'): number {
    const [bound, order] = side === 'upTo' ? ['<=', 'DESC'] : ['>=', 'ASC'];
    const id = file.row<[number]>(
      `SELECT id FROM doc WHERE urn ${bound} ? ORDER BY urn ${order} LIMIT 1`,
      urn,
    )?.[0];
    return id === undefined ? (side === 'upTo' ? -1 : Infinity) : this.keys[id]!;
  }

  /**
   * The first `count` of the documents behind a key, as far as there are so many; undefined when more than `most` of all
   * would have to be looked at.
   */
  first(
    docs: DocSet,
    count: number,
    { descending, after, most }: { descending: boolean; after: number | undefined; most: number },
  ): number[] | undefined {
    const { known, fresh, keys } = this;
    const [step, start, end] = descending ? [-1, Infinity, -Infinity] : [1, -Infinity, Infinity];
    const from = after ?? start;
    // A whole number is the place among the known ones; the fresh ones stand between them.
    let i = descending ? Math.min(known.length, Math.ceil(from)) - 1 : Math.max(-1, Math.floor(from)) + 1;
    let f = firstAbove(fresh, keys, from);
    if (descending) while (f >= fresh.length || (f >= 0 && keys[fresh[f]!]! >= from)) f--;
    const found: number[] = [];
    for (let looked = 0; looked < most; looked++) {
      const key = i >= 0 && i < known.length ? i : end;
      const other = f >= 0 && f < fresh.length ? keys[fresh[f]!]! : end;
      if (key === end && other === end) return found;
      const isKnown = descending ? key > other : key < other;
      const doc = isKnown ? known[i]! : fresh[f]!;
      if (isKnown) i += step;
      else f += step;
      if (docs.has(doc) && found.push(doc) === count) return found;
    }
    return undefined;
  }

  /** The first `count` of the documents behind a key, by a look at each of them. */
  *least(
    docs: DocSet,
    count: number,
    { descending, after }: { descending: boolean; after: number | undefined },
  ): Steps<number[]> {
    const { keys, coarse } = this;
    const sign = descending ? -1 : 1;
    const behind = after === undefined ? -Infinity : sign * after;
    const best = new Best<number>(count, (a, b) => sign * keys[a]! < sign * keys[b]!);
    let limit = Infinity;
    // What lies outside of these steps is not looked at any further.
    let [low, high] = [0, MOST_STEPS];
    if (after !== undefined && descending) high = this.stepOf(after);
    else if (after !== undefined) low = this.stepOf(after);
    for (let chunk = 0; chunk < docs.chunks; chunk++) {
      yield;
      const length = docs.listIn(chunk, ofChunk);
      for (let i = nextWithin(coarse, 0, length, low, high); i < length;) {
        const doc = ofChunk[i]!;
        const key = sign * keys[doc]!;
        if (key < limit && key > behind) {
          best.offer(doc);
          if (best.last !== undefined) {
            limit = sign * keys[best.last]!;
            if (descending) low = coarse[best.last]!;
            else high = coarse[best.last]!;
          }
        }
        i = nextWithin(coarse, i + 1, length, low, high);
      }
    }
    return best.sorted();
  }

  /**
   * The first `count` of the documents, likewise from the beginning. The walk passes over the steps of the order that none
   * of the documents stands in, if `within` tells them.
   */
  firstWithin(
    docs: { has: (doc: number) => boolean },
    count: number,
    most: number,
    within?: Uint8Array,
  ): number[] | undefined {
    const { known, fresh, before, width } = this;
    const found: number[] = [];
    let [i, f, left] = [0, 0, most];
    for (;;) {
      for (; f < fresh.length && before[f]! <= i; f++, left--)
        if (docs.has(fresh[f]!) && found.push(fresh[f]!) === count) return found;
      if (i >= known.length) return found;
      if (left <= 0) return undefined;
      const end = Math.min(i - (i % width) + width, before[f] ?? known.length, known.length);
      if (within?.[this.stepOf(i)] !== 0) {
        left -= end - i;
        for (; i < end; i++) if (docs.has(known[i]!) && found.push(known[i]!) === count) return found;
      }
      i = end;
    }
  }

  /** Whether it is known where in the order the documents of the sets stand. */
  knowsSteps(sets: readonly DocSet[]): boolean {
    return sets.every((docs) => this.steps.has(docs));
  }

  /** Marks the steps of the order that documents of the sets stand in. The sets must not change from then on. */
  stepsOf(sets: readonly DocSet[]): Uint8Array {
    const all = new Uint8Array(MOST_STEPS + 1);
    for (const docs of sets) {
      let steps = this.steps.get(docs);
      if (!steps) this.steps.set(docs, (steps = this.stepsIn(docs)));
      for (let step = 0; step < all.length; step++) all[step]! |= steps[step]!;
    }
    return all;
  }

  private stepsIn(docs: DocSet): Uint8Array {
    const steps = new Uint8Array(MOST_STEPS + 1);
    for (let chunk = 0; chunk < docs.chunks; chunk++) {
      const length = docs.listIn(chunk, ofChunk);
      for (let i = 0; i < length; i++) steps[this.coarse[ofChunk[i]!]!] = 1;
    }
    return steps;
  }

  private arrange(file: IndexConnection): void {
    // As one row: a million rows would take many times as long.
    const sql = `SELECT CAST(json_group_array(id) AS BLOB) FROM (SELECT id FROM doc INDEXED BY ${URN_INDEX} ORDER BY urn)`;
    const docs = numbersIn(file.row<[Uint8Array]>(sql)![0]);
    this.steps = new WeakMap();
    this.width = Math.ceil((docs.length + 1) / (MOST_STEPS + 1));
    docs.forEach((doc, key) => this.put(doc, key));
    // Without the room that the list has for more.
    this.known = docs.slice();
    this.fresh = this.before = new Float64Array(0);
  }

  private insert(file: IndexConnection): void {
    const rows = file.all<[number, number | null]>(
      `SELECT f.id, (SELECT p.id FROM doc p WHERE p.urn < f.urn ORDER BY p.urn DESC LIMIT 1)
         FROM doc f WHERE f.id > ? ORDER BY f.urn`,
      this.last,
    );
    const { fresh, before, keys } = this;
    const length = fresh.length + rows.length;
    this.fresh = new Float64Array(length);
    this.before = new Float64Array(length);
    let from = 0;
    let to = 0;
    const take = (doc: number, others: number) => {
      this.fresh[to] = doc;
      this.before[to++] = others;
    };
    const takeUpTo = (end: number) => {
      for (; from < end; from++) take(fresh[from]!, before[from]!);
    };
    const placed = new Set<number>();
    for (const [doc, previous] of rows) {
      if (previous !== null && placed.has(previous)) take(doc, this.before[to - 1]!);
      else {
        const key = previous === null ? -1 : keys[previous]!;
        const others = Math.floor(key) + 1;
        // Right behind the document before it, which is the last of those so far or comes first of those since.
        takeUpTo(Number.isInteger(key) ? firstAt(before, others) : indexIn(key, fresh.length) + 1);
        take(doc, others);
      }
      placed.add(doc);
    }
    takeUpTo(fresh.length);
    for (let i = 0; i < length; i++) this.put(this.fresh[i]!, this.before[i]! - 1 + (i + 1) / (length + 1));
  }

  private put(doc: number, key: number): void {
    this.keys[doc] = key;
    this.coarse[doc] = this.stepOf(key);
  }

  private stepOf(key: number): number {
    return Math.min(MOST_STEPS, Math.max(0, Math.floor(key / this.width)));
  }
}

/** The next document of the chunk that stands within the steps. */
function nextWithin(coarse: Uint8Array, from: number, length: number, low: number, high: number): number {
  for (let i = from; i < length; i++) {
    const step = coarse[ofChunk[i]!]!;
    if (step >= low && step <= high) return i;
  }
  return length;
}

/** The index of a fresh document, from its key while there were so many. */
function indexIn(key: number, length: number): number {
  return Math.round((key - Math.floor(key)) * (length + 1)) - 1;
}

/** The index of the first ascending number that is not less. */
function firstAt(ascending: Float64Array, number: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the first fresh document whose key is greater. */
function firstAbove(fresh: Float64Array, keys: Float64Array, key: number): number {
  let [low, high] = [0, fresh.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[fresh[middle]!]! <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
