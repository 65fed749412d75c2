/** Documents per container: their low bits fit 16-bit numbers, and a container of a common value eight kilobytes. */
export const CHUNK_BITS = 16;
export const CHUNK_DOCS = 1 << CHUNK_BITS;
/** Of a document number, the part that tells it from the others of its chunk. */
export const LOW = CHUNK_DOCS - 1;
export const CHUNK_WORDS = CHUNK_DOCS / 32;

/** Up to so many documents of a chunk, work on a list of them is cheaper than on bits. */
export const MOST_LISTED = 512;

/** The documents of one chunk by their low bits: few as an ascending list, which is never changed, many as bits. */
export type Container = Uint16Array | Uint32Array;

/** For results whose size is not known yet. */
const scratch = new Uint32Array(CHUNK_WORDS);

/** Whether bits hold a document. */
export function hasBit(words: Uint32Array, low: number): boolean {
  return (words[low >>> 5]! & (1 << (low & 31))) !== 0;
}

/** Whether a list holds a document. */
export function isListed(lows: Uint16Array, wanted: number): boolean {
  let [from, to] = [0, lows.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (lows[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  return lows[from] === wanted;
}

/** The documents of two lists, each once. */
export function merged(some: Uint16Array, others: Uint16Array): Uint16Array {
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
export function sharedOf(
  containers: readonly Container[],
): readonly [shared: Container | undefined, size: number] {
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
export function listed(lows: Uint16Array, container: Container, shared: boolean): Uint16Array | undefined {
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

/** Of some bits those that the others have, or those that they have not. @param own whether `ours` may change */
export function masked(
  ours: Uint32Array,
  theirs: Uint32Array,
  shared: boolean,
  own: boolean,
): Container | undefined {
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
  return size <= MOST_LISTED ? lowsOf(words, size) : own ? words : words.slice();
}

/** The documents of bits as a list; undefined when there are none. @param size how many there are */
export function lowsOf(words: Uint32Array, size: number): Uint16Array | undefined {
  if (size === 0) return undefined;
  const lows = new Uint16Array(size);
  let at = 0;
  for (let i = 0; i < CHUNK_WORDS; i++)
    for (let word = words[i]!; word !== 0; word &= word - 1)
      lows[at++] = i * 32 + (31 - Math.clz32(word & -word));
  return lows;
}

/** How many documents a container holds. */
export function sizeOf(container: Container): number {
  return container instanceof Uint16Array ? container.length : sizeOfTwo(container, container);
}

/** How many documents two containers share. */
export function sizeOfTwo(some: Container, others: Container): number {
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

/** Calls back with each document number, ascending. @param base the number of the first document of the chunk */
export function eachOf(container: Container, base: number, visit: (doc: number) => void): void {
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

/** How many bits of a word are set. */
function bitsIn(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
