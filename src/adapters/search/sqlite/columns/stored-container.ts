import { CHUNK_DOCS, CHUNK_WORDS, eachOf, LOW, lowsOf, sizeOf } from './container.js';

/** The length of a stored container that holds bits. A shorter one is a list of 16-bit numbers. */
export const CHUNK_BYTES = CHUNK_DOCS / 8;
/** Containers below so many bytes are lists. */
export const LONGEST_LIST = CHUNK_BYTES;

/** Containers up to this size are changed as lists; beyond it, bits are faster. */
const FEW = 64;

/** The container that is being changed, as bits; its bytes are copied. */
const changed = new Uint32Array(CHUNK_WORDS);

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
  changed.fill(0);
  if (bytes?.length === CHUNK_BYTES) changed.set(wordsIn(bytes));
  else if (bytes) for (const low of lowsIn(bytes)) changed[low >>> 5]! |= 1 << (low & 31);
  for (const doc of removed) changed[(doc & LOW) >>> 5]! &= ~(1 << (doc & 31));
  for (const doc of added) changed[(doc & LOW) >>> 5]! |= 1 << (doc & 31);
  const count = sizeOf(changed);
  if (count * 2 >= CHUNK_BYTES) return new Uint8Array(changed.slice().buffer);
  return new Uint8Array((lowsOf(changed, count) ?? new Uint16Array()).buffer);
}

function changedList(
  bytes: Uint8Array | undefined,
  added: readonly number[],
  removed: readonly number[],
): Uint8Array {
  const lows = new Set(bytes ? lowsIn(bytes) : []);
  for (const doc of removed) lows.delete(doc & LOW);
  for (const doc of added) lows.add(doc & LOW);
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

/** A stored container that holds bits. */
export function wordsIn(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, CHUNK_WORDS);
}

/** A stored container that holds a list. */
export function lowsIn(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, bytes.length >>> 1);
}
