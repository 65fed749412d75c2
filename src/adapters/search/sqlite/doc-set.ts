/** Documents per container: their low bits fit 16-bit numbers, and a container of a common value eight kilobytes. */
export const CHUNK_BITS = 16;
const CHUNK_DOCS = 1 << CHUNK_BITS;
const CHUNK_WORDS = CHUNK_DOCS / 32;
const CHUNK_BYTES = CHUNK_DOCS / 8;
/** Containers below so many bytes are lists. */
export const LONGEST_LIST = CHUNK_BYTES;

/**
 * A set of document numbers as bits. Sets of one search have the same length, so that and, or and not are
 * loops over words.
 */
export class DocSet {
  readonly words: Uint32Array;

  constructor(readonly chunks: number) {
    this.words = new Uint32Array(chunks * CHUNK_WORDS);
  }

  /** An empty one with room for documents up to that number. */
  static upTo(last: number): DocSet {
    return new DocSet((last >>> CHUNK_BITS) + 1);
  }

  /** Whether it has just the room for documents up to that number. */
  canHold(last: number): boolean {
    return this.chunks === (last >>> CHUNK_BITS) + 1;
  }

  add(doc: number): void {
    const word = doc >>> 5;
    // A document that came after the search began is not of it.
    if (word < this.words.length) this.words[word]! |= 1 << (doc & 31);
  }

  /** Whether the number can be in the set. */
  reaches(doc: number): boolean {
    return doc >>> 5 < this.words.length;
  }

  with(doc: number): this {
    this.add(doc);
    return this;
  }

  delete(doc: number): void {
    const word = doc >>> 5;
    if (word < this.words.length) this.words[word]! &= ~(1 << (doc & 31));
  }

  has(doc: number): boolean {
    return ((this.words[doc >>> 5] ?? 0) & (1 << (doc & 31))) !== 0;
  }

  copy(): DocSet {
    const copy = new DocSet(this.chunks);
    copy.words.set(this.words);
    return copy;
  }

  or(other: DocSet): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! |= other.words[i]!;
    return this;
  }

  and(other: DocSet): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! &= other.words[i]!;
    return this;
  }

  without(other: DocSet): this {
    for (let i = 0; i < this.words.length; i++) this.words[i]! &= ~other.words[i]!;
    return this;
  }

  get size(): number {
    let count = 0;
    for (let i = 0; i < this.words.length; i++) count += bitsIn(this.words[i]!);
    return count;
  }

  get isEmpty(): boolean {
    for (let i = 0; i < this.words.length; i++) if (this.words[i] !== 0) return false;
    return true;
  }

  /** Calls back with each document number, ascending. */
  forEach(visit: (doc: number) => void): void {
    eachBit(this.words, 0, this.words.length, 0, visit);
  }

  /** The same for the documents of one chunk. */
  forEachIn(chunk: number, visit: (doc: number) => void): void {
    eachBit(this.words, chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS, 0, visit);
  }

  toArray(): Uint32Array {
    const docs = new Uint32Array(this.size);
    let at = 0;
    this.forEach((doc) => (docs[at++] = doc));
    return docs;
  }

  /** The documents one at a time, ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i]!;
      while (word !== 0) {
        const low = word & -word;
        yield i * 32 + (31 - Math.clz32(low));
        word ^= low;
      }
    }
  }

  /** Adds the documents of a stored container. */
  orContainer(chunk: number, bytes: Uint8Array): void {
    if (chunk >= this.chunks) return;
    const base = chunk * CHUNK_WORDS;
    if (bytes.length === CHUNK_BYTES) {
      const words = wordsIn(bytes);
      for (let i = 0; i < CHUNK_WORDS; i++) this.words[base + i]! |= words[i]!;
    } else {
      for (const low of lowsIn(bytes)) this.words[base + (low >>> 5)]! |= 1 << (low & 31);
    }
  }

  /** How many documents of a stored container are in the set. */
  countContainer(chunk: number, bytes: Uint8Array): number {
    if (chunk >= this.chunks) return 0;
    const base = chunk * CHUNK_WORDS;
    let count = 0;
    if (bytes.length === CHUNK_BYTES) {
      const words = wordsIn(bytes);
      for (let i = 0; i < CHUNK_WORDS; i++) count += bitsIn(this.words[base + i]! & words[i]!);
    } else {
      for (const low of lowsIn(bytes)) count += (this.words[base + (low >>> 5)]! >>> (low & 31)) & 1;
    }
    return count;
  }
}

const scratch = new Uint32Array(CHUNK_WORDS);

/** Containers up to this size are changed as lists; beyond it, bits are faster. */
const FEW = 64;

/**
 * A container after additions and removals (document numbers of that chunk). Empty when nothing is left.
 * Few documents are kept as 16-bit numbers, many as bits: the length tells which.
 */
export function changedContainer(
  bytes: Uint8Array | undefined,
  added: readonly number[],
  removed: readonly number[],
): Uint8Array {
  if ((bytes?.length ?? 0) <= FEW * 2 && added.length <= FEW) return changedList(bytes, added, removed);
  scratch.fill(0);
  if (bytes?.length === CHUNK_BYTES) scratch.set(wordsIn(bytes));
  else if (bytes) for (const low of lowsIn(bytes)) scratch[low >>> 5]! |= 1 << (low & 31);
  for (const doc of removed) scratch[(doc & (CHUNK_DOCS - 1)) >>> 5]! &= ~(1 << (doc & 31));
  for (const doc of added) scratch[(doc & (CHUNK_DOCS - 1)) >>> 5]! |= 1 << (doc & 31);
  let count = 0;
  for (let i = 0; i < CHUNK_WORDS; i++) count += bitsIn(scratch[i]!);
  if (count * 2 >= CHUNK_BYTES) return new Uint8Array(scratch.slice().buffer);
  const lows = new Uint16Array(count);
  let at = 0;
  for (let i = 0; i < CHUNK_WORDS; i++) {
    let word = scratch[i]!;
    while (word !== 0) {
      const low = word & -word;
      lows[at++] = i * 32 + (31 - Math.clz32(low));
      word ^= low;
    }
  }
  return new Uint8Array(lows.buffer);
}

function changedList(
  bytes: Uint8Array | undefined,
  added: readonly number[],
  removed: readonly number[],
): Uint8Array {
  const lows = new Set(bytes ? lowsIn(bytes) : []);
  for (const doc of removed) lows.delete(doc & (CHUNK_DOCS - 1));
  for (const doc of added) lows.add(doc & (CHUNK_DOCS - 1));
  return new Uint8Array(Uint16Array.from(lows).sort().buffer);
}

/** The container of ascending document numbers, all of one chunk, as a list. */
export function listOf(docs: readonly number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(docs, (doc) => doc & (CHUNK_DOCS - 1)).buffer);
}

/** Calls back with each document number of a stored container. */
export function eachIn(chunk: number, bytes: Uint8Array, visit: (doc: number) => void): void {
  const base = chunk * CHUNK_DOCS;
  if (bytes.length !== CHUNK_BYTES) {
    for (const low of lowsIn(bytes)) visit(base + low);
    return;
  }
  eachBit(wordsIn(bytes), 0, CHUNK_WORDS, base, visit);
}

function eachBit(
  words: Uint32Array,
  from: number,
  to: number,
  base: number,
  visit: (doc: number) => void,
): void {
  for (let i = from; i < to; i++) {
    let word = words[i]!;
    while (word !== 0) {
      const low = word & -word;
      visit(base + i * 32 + (31 - Math.clz32(low)));
      word ^= low;
    }
  }
}

function wordsIn(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, CHUNK_WORDS);
}

function lowsIn(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, bytes.length >>> 1);
}

function bitsIn(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
