/** Documents per container: their low bits fit 16-bit numbers, and a container of a common value eight kilobytes. */
export const CHUNK_BITS = 16;
export const CHUNK_DOCS = 1 << CHUNK_BITS;
const LOW = CHUNK_DOCS - 1;
const CHUNK_WORDS = CHUNK_DOCS / 32;
const CHUNK_BYTES = CHUNK_DOCS / 8;
/** Containers below so many bytes are lists. */
export const LONGEST_LIST = CHUNK_BYTES;

/** Up to so many documents of a chunk, work on a list of them is cheaper than on bits. */
const MOST_LISTED = 512;

/** The documents of one chunk by their low bits: few as an ascending list, which is never changed, many as bits. */
type Container = Uint16Array | Uint32Array;

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
      } else {
        const own = this.own[chunk] === true;
        const words = own ? ours : scratch;
        const turned = shared ? 0 : -1;
        // Counted only until there are too many for a list.
        let [size, i] = [0, 0];
        for (; i < CHUNK_WORDS && size <= MOST_LISTED; i++) {
          const word = ours[i]! & (theirs[i]! ^ turned);
          words[i] = word;
          if (word !== 0) size += bitsIn(word);
        }
        for (; i < CHUNK_WORDS; i++) words[i] = ours[i]! & (theirs[i]! ^ turned);
        this.put(chunk, size <= MOST_LISTED ? lowsOf(words, size) : own ? words : words.slice(), true);
      }
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

function hasBit(words: Uint32Array, low: number): boolean {
  return (words[low >>> 5]! & (1 << (low & 31))) !== 0;
}

function isListed(lows: Uint16Array, wanted: number): boolean {
  let [from, to] = [0, lows.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (lows[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  return lows[from] === wanted;
}

function merged(some: Uint16Array, others: Uint16Array): Uint16Array {
  const all = new Uint16Array(some.length + others.length);
  let [a, b, at] = [0, 0, 0];
  while (a < some.length || b < others.length) {
    // Beyond the end comes what is never less.
    const [x, y] = [some[a] ?? Infinity, others[b] ?? Infinity];
    all[at++] = Math.min(x, y);
    if (x <= y) a++;
    if (y <= x) b++;
  }
  return all.subarray(0, at);
}

/** What all of the containers hold, and how many these are. */
function sharedOf(containers: readonly Container[]): readonly [shared: Container | undefined, size: number] {
  const [first, second, third, ...more] = containers;
  if (!first) return [undefined, 0];
  if (!second) return [first, sizeOf(first)];
  let shortest: Uint16Array | undefined;
  for (const one of containers)
    if (one instanceof Uint16Array && one.length < (shortest?.length ?? Infinity)) shortest = one;
  if (shortest) {
    let kept: Uint16Array | undefined = shortest;
    for (const one of containers) if (kept && one !== shortest) kept = listed(kept, one, true);
    return [kept, kept?.length ?? 0];
  }
  if (third) for (let i = 0; i < CHUNK_WORDS; i++) scratch[i] = first[i]! & second[i]! & third[i]!;
  else for (let i = 0; i < CHUNK_WORDS; i++) scratch[i] = first[i]! & second[i]!;
  for (const one of more) for (let i = 0; i < CHUNK_WORDS; i++) scratch[i]! &= one[i]!;
  const size = sizeOf(scratch);
  return [size <= MOST_LISTED ? lowsOf(scratch, size) : scratch.slice(), size];
}

/** Those of the list that are in the container, or those that are not. */
function listed(lows: Uint16Array, container: Container, shared: boolean): Uint16Array | undefined {
  const kept = new Uint16Array(lows.length);
  let [at, b] = [0, 0];
  for (let i = 0; i < lows.length; i++) {
    const low = lows[i]!;
    let has: boolean;
    if (container instanceof Uint32Array) has = hasBit(container, low);
    else {
      while (b < container.length && container[b]! < low) b++;
      has = container[b] === low;
    }
    if (has === shared) kept[at++] = low;
  }
  return at === 0 ? undefined : at === lows.length ? lows : kept.subarray(0, at);
}

function lowsOf(words: Uint32Array, size: number): Uint16Array | undefined {
  if (size === 0) return undefined;
  const lows = new Uint16Array(size);
  let at = 0;
  for (let i = 0; i < CHUNK_WORDS; i++)
    for (let word = words[i]!; word !== 0; word &= word - 1)
      lows[at++] = i * 32 + (31 - Math.clz32(word & -word));
  return lows;
}

function sizeOf(container: Container): number {
  return container instanceof Uint16Array ? container.length : sizeOfTwo(container, container);
}

/** How many documents two containers share. */
function sizeOfTwo(some: Container, others: Container): number {
  if (some instanceof Uint16Array) return listed(some, others, true)?.length ?? 0;
  if (others instanceof Uint16Array) return listed(others, some, true)?.length ?? 0;
  let size = 0;
  for (let i = 0; i < CHUNK_WORDS;) {
    // Sums of two words by half bytes, which are added up by bytes: these hold what sixteen words have.
    let bytes = 0;
    for (const end = i + 16; i < end; i += 2) {
      const halves = halvesIn(some[i]! & others[i]!) + halvesIn(some[i + 1]! & others[i + 1]!);
      bytes += (halves & 0x0f0f0f0f) + ((halves >>> 4) & 0x0f0f0f0f);
    }
    const pairs = (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
    size += (pairs & 0xffff) + (pairs >>> 16);
  }
  return size;
}

/** The bits in each half of a byte, up to four. */
function halvesIn(word: number): number {
  const v = (word - ((word >>> 1) & 0x55555555)) | 0;
  return ((v & 0x33333333) + ((v >>> 2) & 0x33333333)) | 0;
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

/** A list that is made; its bytes are copied. */
const listed16 = new Uint16Array(LONGEST_LIST / 2);
const listed8 = new Uint8Array(listed16.buffer);

/** The container of ascending document numbers, all of one chunk and fewer than a list may hold, as a list. */
export function listOf(docs: readonly number[]): Uint8Array {
  const { length } = docs;
  for (let i = 0; i < length; i++) listed16[i] = docs[i]! & LOW;
  // An array whose buffer is not asked for is a part of the heap as long as it is small: no memory is allocated for it.
  return listed8.slice(0, 2 * length);
}

/** Calls back with each document number of a stored container. */
export function eachIn(chunk: number, bytes: Uint8Array, visit: (doc: number) => void): void {
  eachOf(bytes.length === CHUNK_BYTES ? wordsIn(bytes) : lowsIn(bytes), chunk * CHUNK_DOCS, visit);
}

function eachOf(container: Container, base: number, visit: (doc: number) => void): void {
  if (container instanceof Uint16Array)
    for (let i = 0; i < container.length; i++) visit(base + container[i]!);
  else
    for (let i = 0; i < CHUNK_WORDS; i++) {
      let word = container[i]!;
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
