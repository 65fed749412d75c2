import type { IndexConnection } from './index-connection.js';
import { URN_INDEX } from './index-file.js';
import { numbersIn } from './numbers.js';

/** So many documents may come before all are put in order again: a few, and a part of those that there were. */
const MOST_FRESH = 1000;
const FRESH_PART = 1 / 16;

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
  private last = 0;
  private known = 0;
  /** Those that came since, in order, and how many of the others stand before each. */
  private fresh = new Float64Array(0);
  private before = new Float64Array(0);

  /** Takes up the documents that the connection sees; to be called before the keys are used. */
  follow(file: IndexConnection): this {
    const last = file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
    if (last <= this.last) return this;
    if (last >= this.keys.length) {
      const keys = new Float64Array(last + 1024 + (last >>> 4));
      keys.set(this.keys);
      this.keys = keys;
    }
    if (last - this.last + this.fresh.length > MOST_FRESH + this.known * FRESH_PART) this.arrange(file);
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

  private arrange(file: IndexConnection): void {
    // As one row: a million rows would take many times as long.
    const sql = `SELECT CAST(json_group_array(id) AS BLOB) FROM (SELECT id FROM doc INDEXED BY ${URN_INDEX} ORDER BY urn)`;
    const docs = numbersIn(file.row<[Uint8Array]>(sql)![0]);
    docs.forEach((doc, key) => (this.keys[doc] = key));
    this.known = docs.length;
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
    for (let i = 0; i < length; i++) keys[this.fresh[i]!] = this.before[i]! - 1 + (i + 1) / (length + 1);
  }
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
