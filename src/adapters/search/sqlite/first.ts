import { Best } from './best.js';
import type { DocSet } from './doc-set.js';
import type { Steps } from './steps.js';

/** A number that a document is ordered by, ascending. */
export type Key = (doc: number) => number;

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
  const best = new Best<number>(count, (a, b) => {
    for (const key of keys) {
      const difference = key(a) - key(b);
      if (difference !== 0) return difference < 0;
    }
    return false;
  });
  const isBehind = (doc: number, place: readonly number[]) => {
    for (const [i, key] of keys.entries()) {
      const difference = key(doc) - place[i]!;
      if (difference !== 0) return difference > 0;
    }
    return false;
  };
  let limit = Infinity;
  for (let chunk = 0; chunk < docs.chunks; chunk++) {
    yield;
    docs.forEachIn(chunk, (doc) => {
      if (first(doc) > limit || (after && !isBehind(doc, after))) return;
      best.offer(doc);
      if (best.last !== undefined) limit = first(best.last);
    });
  }
  return best.sorted();
}
