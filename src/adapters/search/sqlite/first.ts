import type { DocSet } from './doc-set.js';
import type { Steps } from './steps.js';

/** A number that a document is ordered by, ascending. */
export type Key = (doc: number) => number;

/** Documents between two steps. */
const DOCS = 65_536;

/**
 * The first `count` of the documents in the order of the keys, each among equals of the one before. Every two documents
 * must differ in one of them.
 * @param after only those behind a place, as the values of the keys there
 */
export function* firstOf(
  docs: DocSet,
  count: number,
  keys: readonly Key[],
  after?: readonly number[],
): Steps<number[]> {
  const [first] = keys;
  if (count <= 0 || !first) return [];
  const isBefore = (a: number, b: number) => {
    for (const key of keys) {
      const difference = key(a) - key(b);
      if (difference !== 0) return difference < 0;
    }
    return false;
  };
  const isBehind = (doc: number, place: readonly number[]) => {
    for (const [i, key] of keys.entries()) {
      const difference = key(doc) - place[i]!;
      if (difference !== 0) return difference > 0;
    }
    return false;
  };
  // A heap: none is before the ones below it, so that the last of all stands on top.
  const heap: number[] = [];
  const sink = (doc: number) => {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below]!, heap[below + 1]!)) below++;
      if (!isBefore(doc, heap[below]!)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = doc;
  };
  let limit = Infinity;
  let seen = 0;
  for (let chunk = 0; chunk < docs.chunks; chunk++) {
    docs.forEachIn(chunk, (doc) => {
      seen++;
      if (first(doc) > limit || (after && !isBehind(doc, after))) return;
      if (heap.length < count) {
        heap.push(doc);
        if (heap.length < count) return;
        heap.sort((a, b) => (isBefore(a, b) ? 1 : -1));
      } else if (isBefore(doc, heap[0]!)) sink(doc);
      limit = first(heap[0]!);
    });
    if (seen >= DOCS) {
      yield;
      seen = 0;
    }
  }
  return heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}
