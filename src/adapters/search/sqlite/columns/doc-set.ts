import {
  CHUNK_BITS,
  CHUNK_DOCS,
  CHUNK_WORDS,
  eachOf,
  hasBit,
  isListed,
  listed,
  LOW,
  masked,
  merged,
  MOST_LISTED,
  sharedOf,
  sizeOf,
  sizeOfTwo,
  type Container,
} from './container.js';
import { CHUNK_BYTES, lowsIn, wordsIn } from './stored-container.js';

/**
 * A set of document numbers, in containers by chunk. What is done with it costs what the smaller of two sets holds, or
 * a loop over words for each chunk that many documents of both are in. Copies share containers until one changes.
 */
export class DocSet {
  private readonly containers: Array<Container | undefined> = [];
  /** Whether no other set has the container: then its bits may change. */
  private readonly own: boolean[] = [];
  private known: number | undefined = 0;

  /** @param docs each once; fastest when ascending */
  static of(docs: ArrayLike<number>): DocSet {
    const set = new DocSet();
    for (let from = 0; from < docs.length;) {
      const chunk = docs[from]! >>> CHUNK_BITS;
      let end = from + 1;
      let ascending = set.containers[chunk] === undefined;
      for (; end < docs.length && docs[end]! >>> CHUNK_BITS === chunk; end++)
        if (docs[end]! < docs[end - 1]!) ascending = false;
      if (ascending && end - from <= MOST_LISTED) {
        const lows = new Uint16Array(end - from);
        for (let i = from; i < end; i++) lows[i - from] = docs[i]! & LOW;
        set.put(chunk, lows, false);
      } else {
        const words = set.bits(chunk);
        for (let i = from; i < end; i++) words[(docs[i]! & LOW) >>> 5]! |= 1 << (docs[i]! & 31);
      }
      from = end;
    }
    return set;
  }

  /** The documents that all of the sets have, in one pass. @param sets at least one; they stay as they are */
  static allOf(sets: readonly DocSet[]): DocSet {
    if (sets.length === 1) return sets[0]!.copy();
    const all = new DocSet();
    let size = 0;
    for (let chunk = 0; chunk < sets[0]!.containers.length; chunk++) {
      const containers = DocSet.containersOf(sets, chunk);
      const [shared, count] = sharedOf(containers);
      if (!shared) continue;
      if (containers.length === 1) for (const set of sets) set.own[chunk] = false;
      all.put(chunk, shared, containers.length > 1);
      size += count;
    }
    all.known = size;
    return all;
  }

  /** How many documents of one chunk all of the sets have. */
  static sizeOfAll(sets: readonly DocSet[], chunk: number): number {
    return sharedOf(DocSet.containersOf(sets, chunk))[1];
  }

  /** The containers of a chunk, each once; none unless all of the sets have one. */
  private static containersOf(sets: readonly DocSet[], chunk: number): Container[] {
    const containers: Container[] = [];
    for (const set of sets) {
      const container = set.containers[chunk];
      if (!container) return [];
      if (!containers.includes(container)) containers.push(container);
    }
    return containers;
  }

  /** How many documents both sets have. */
  static sizeOfBoth(some: DocSet, others: DocSet): number {
    let size = 0;
    for (const [chunk, ours] of some.containers.entries()) {
      const theirs = others.containers[chunk];
      if (ours && theirs) size += sizeOfTwo(ours, theirs);
    }
    return size;
  }

  /** After the last chunk that it may have documents of. */
  get chunks(): number {
    return this.containers.length;
  }

  add(doc: number): this {
    this.bits(doc >>> CHUNK_BITS)[(doc & LOW) >>> 5]! |= 1 << (doc & 31);
    return this;
  }

  delete(doc: number): void {
    if (this.has(doc)) this.bits(doc >>> CHUNK_BITS)[(doc & LOW) >>> 5]! &= ~(1 << (doc & 31));
  }

  has(doc: number): boolean {
    const container = this.containers[doc >>> CHUNK_BITS];
    if (!container) return false;
    return container instanceof Uint32Array ? hasBit(container, doc & LOW) : isListed(container, doc & LOW);
  }

  copy(): DocSet {
    const copy = new DocSet().or(this);
    copy.known = this.known;
    return copy;
  }

  clear(): void {
    this.containers.length = 0;
    this.known = 0;
  }

  or(other: DocSet): this {
    const { containers, own } = this;
    for (let chunk = 0; chunk < other.containers.length; chunk++) {
      const theirs = other.containers[chunk];
      if (!theirs) continue;
      const ours = containers[chunk];
      if (ours === theirs) continue;
      if (!ours) {
        other.own[chunk] = false;
        this.put(chunk, theirs, false);
      } else if (theirs instanceof Uint32Array) {
        const words = ours instanceof Uint32Array && own[chunk] ? ours : theirs.slice();
        const more = words === ours ? theirs : ours;
        if (more instanceof Uint32Array) for (let i = 0; i < CHUNK_WORDS; i++) words[i]! |= more[i]!;
        else for (let i = 0; i < more.length; i++) words[more[i]! >>> 5]! |= 1 << (more[i]! & 31);
        this.put(chunk, words, true);
      } else if (ours instanceof Uint16Array && ours.length + theirs.length <= MOST_LISTED) {
        this.put(chunk, merged(ours, theirs), false);
      } else {
        const words = this.bits(chunk);
        for (let i = 0; i < theirs.length; i++) words[theirs[i]! >>> 5]! |= 1 << (theirs[i]! & 31);
      }
    }
    return this;
  }

  and(other: DocSet): this {
    this.keep(other, true);
    return this;
  }

  without(other: DocSet): this {
    this.keep(other, false);
    return this;
  }

  get size(): number {
    if (this.known === undefined) {
      this.known = 0;
      for (const container of this.containers) this.known += container ? sizeOf(container) : 0;
    }
    return this.known;
  }

  get isEmpty(): boolean {
    return this.known === undefined
      ? !this.containers.some(
          (one) => one && (one instanceof Uint16Array ? one.length > 0 : one.some(Boolean)),
        )
      : this.known === 0;
  }

  /** About what its containers take; others may share them. */
  get bytes(): number {
    let bytes = 0;
    for (const container of this.containers) bytes += 100 + (container?.byteLength ?? 0);
    return bytes;
  }

  /** Calls back with each document number, ascending. */
  forEach(visit: (doc: number) => void): void {
    for (const [chunk, container] of this.containers.entries())
      if (container) eachOf(container, chunk * CHUNK_DOCS, visit);
  }

  toArray(): Uint32Array {
    const docs = new Uint32Array(this.size);
    this.listAll(docs);
    return docs;
  }

  /** Writes the documents into a list, ascending. Answers how many they are. */
  listAll(into: Uint32Array): number {
    let length = 0;
    for (let chunk = 0; chunk < this.containers.length; chunk++) length += this.listIn(chunk, into, length);
    return length;
  }

  /** Writes the documents of one chunk into a list, ascending, from a place on. Answers how many they are. */
  listIn(chunk: number, into: Uint32Array, from = 0): number {
    const container = this.containers[chunk];
    const base = chunk * CHUNK_DOCS;
    let at = from;
    if (container instanceof Uint16Array)
      for (let i = 0; i < container.length; i++) into[at++] = base + container[i]!;
    else if (container)
      for (let i = 0; i < CHUNK_WORDS; i++)
        for (let word = container[i]!; word !== 0; word &= word - 1)
          into[at++] = base + i * 32 + (31 - Math.clz32(word & -word));
    return at - from;
  }

  /** The documents one at a time, ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (const [chunk, container] of this.containers.entries()) {
      const base = chunk * CHUNK_DOCS;
      if (container instanceof Uint16Array) for (const low of container) yield base + low;
      else if (container) {
        for (let i = 0; i < CHUNK_WORDS; i++) {
          for (let word = container[i]!; word !== 0; word &= word - 1)
            yield base + i * 32 + (31 - Math.clz32(word & -word));
        }
      }
    }
  }

  /** Adds the documents of a stored container, which is not used for anything else. */
  orContainer(chunk: number, bytes: Uint8Array): void {
    if (this.containers[chunk]) {
      const one = new DocSet();
      one.orContainer(chunk, bytes);
      this.or(one);
    } else if (bytes.length === CHUNK_BYTES) this.put(chunk, wordsIn(bytes), true);
    else if (bytes.length <= 2 * MOST_LISTED) this.put(chunk, lowsIn(bytes), false);
    else {
      const words = this.bits(chunk);
      for (const low of lowsIn(bytes)) words[low >>> 5]! |= 1 << (low & 31);
    }
  }

  /** Keeps those that are in the other set, or those that are not. */
  private keep(other: DocSet, shared: boolean): void {
    for (let chunk = 0; chunk < this.containers.length; chunk++) {
      const ours = this.containers[chunk];
      const theirs = other.containers[chunk];
      if (!ours || (!theirs && !shared)) continue;
      if (!theirs || (ours === theirs && !shared)) this.put(chunk, undefined, false);
      // Copies, of which no chunk has changed.
      else if (ours === theirs) continue;
      else if (ours instanceof Uint16Array) this.put(chunk, listed(ours, theirs, shared), false);
      else if (theirs instanceof Uint16Array) {
        if (shared) this.put(chunk, listed(theirs, ours, true), false);
        else {
          const words = this.bits(chunk);
          for (let i = 0; i < theirs.length; i++) words[theirs[i]! >>> 5]! &= ~(1 << (theirs[i]! & 31));
        }
      } else this.put(chunk, masked(ours, theirs, shared, this.own[chunk] === true), true);
    }
  }

  private put(chunk: number, container: Container | undefined, own: boolean): void {
    while (this.containers.length <= chunk) this.containers.push(undefined);
    this.containers[chunk] = container;
    this.own[chunk] = own;
    this.known = undefined;
  }

  /** The container as bits, to be changed. */
  private bits(chunk: number): Uint32Array {
    const container = this.containers[chunk];
    this.known = undefined;
    if (container instanceof Uint32Array && this.own[chunk]) return container;
    const words = container instanceof Uint32Array ? container.slice() : new Uint32Array(CHUNK_WORDS);
    if (container instanceof Uint16Array) for (const low of container) words[low >>> 5]! |= 1 << (low & 31);
    this.put(chunk, words, true);
    return words;
  }
}
