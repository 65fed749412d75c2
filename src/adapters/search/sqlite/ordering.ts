import {
  compareValues,
  URN_FIELD,
  type SortKey,
  type SortPlace,
  type SortValue,
} from '../../../catalog/search/index.js';
import { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { URN_INDEX } from './index-file.js';
import type { Steps } from './steps.js';
import type { TermReader } from './term-reader.js';

/** Up to this many documents it is cheaper to ask for their URNs than to walk all URNs. */
const FEW = 4000;
/** URNs between two steps of a walk. */
const ROWS = 2048;
/** Up to this many, asking is always cheaper. */
const VERY_FEW = 200;

/** The first `count` documents in the order of URNs (by code points), after the given URN. */
export function* byUrn(
  file: IndexConnection,
  docs: DocSet,
  count: number,
  descending = false,
  after?: string,
): Steps<number[]> {
  if (count <= 0) return [];
  const order = descending ? 'DESC' : 'ASC';
  const bound = after === undefined ? '' : `AND urn ${descending ? '<' : '>'} ?`;
  const params = after === undefined ? [] : [after];
  const size = docs.size;
  const asked = () => {
    const sql = `SELECT id FROM doc WHERE id IN (SELECT value FROM json_each(?)) ${bound} ORDER BY urn ${order} LIMIT ?`;
    return file.all<[number]>(sql, JSON.stringify([...docs]), ...params, count).map(([id]) => id);
  };
  if (size <= VERY_FEW) return asked();
  const found: number[] = [];
  // Documents that lie scattered are soon met on the way. A walk past more than there are of them was for nothing.
  let steps = size <= FEW ? size : Infinity;
  let seen = 0;
  const sql = `SELECT id FROM doc INDEXED BY ${URN_INDEX} WHERE true ${bound} ORDER BY urn ${order}`;
  for (const [id] of file.rows<[number]>(sql, ...params)) {
    if (++seen % ROWS === 0) yield;
    if (docs.has(id)) found.push(id);
    if (found.length === Math.min(count, size)) break;
    if (--steps === 0) return asked();
  }
  return found;
}

/** The first `count` documents by descending score, equal ones in the order of URNs. */
export function* byScore(
  file: IndexConnection,
  docs: DocSet,
  scores: Float64Array,
  count: number,
): Steps<number[]> {
  const size = docs.size;
  if (count <= 0 || size === 0) return [];
  // Differences beyond the sixth digit are noise of adding in another order.
  const rank = (doc: number) => Math.round((scores[doc] ?? 0) * 1e6);
  const ranks = new Float64Array(size);
  let at = 0;
  docs.forEach((doc) => (ranks[at++] = rank(doc)));
  const cutoff = ranks.sort()[size - Math.min(count, size)]!;
  const above = new DocSet(docs.chunks);
  const ties = new DocSet(docs.chunks);
  docs.forEach((doc) => {
    const own = rank(doc);
    if (own > cutoff) above.add(doc);
    else if (own === cutoff) ties.add(doc);
  });
  yield;
  const first = (yield* byUrn(file, above, count)).sort((a, b) => rank(b) - rank(a));
  return [...first, ...(yield* byUrn(file, ties, count - first.length))];
}

/**
 * The first `count` documents in the order of the keys, then of URNs, after a place. A document with several values
 * stands at the one that comes first in the direction asked for; one without a value comes last.
 */
export function* bySort(
  file: IndexConnection,
  terms: TermReader,
  docs: DocSet,
  keys: readonly SortKey[],
  count: number,
  after?: SortPlace,
): Steps<number[]> {
  const [key, ...more] = keys;
  if (count <= 0) return [];
  if (!key || key.field === URN_FIELD) return yield* byUrn(file, docs, count, key?.descending, after?.urn);
  const [from, ...moreFrom] = after?.values ?? [];
  const left = docs.copy();
  const found: number[] = [];
  const take = function* (group: DocSet, rest?: SortPlace): Steps<void> {
    for (const doc of yield* bySort(file, terms, group, more, count - found.length, rest)) found.push(doc);
  };
  const rest = after && { values: moreFrom, urn: after.urn };
  for (const entry of terms.valuesInOrder(key.field, key.descending, left)) {
    if (!entry) {
      yield;
      continue;
    }
    const { value, docs: holders } = entry;
    const place = after ? placed(value, from ?? null, key.descending) : 1;
    if (typeof holders === 'number') {
      if (!left.has(holders)) continue;
      left.delete(holders);
      if (place > 0) found.push(holders);
      else if (place === 0) yield* take(new DocSet(docs.chunks).with(holders), rest);
    } else {
      const group = holders.and(left);
      if (group.isEmpty) continue;
      left.without(group);
      if (place > 0) yield* take(group);
      else if (place === 0) yield* take(group, rest);
    }
    if (found.length >= count) return found;
  }
  yield* take(left, after && from === null ? rest : undefined);
  return found;
}

/** Negative when the value stands before the place, 0 at it, positive after it. Without a value is last. */
function placed(value: string | number, from: SortValue, descending: boolean): number {
  if (from === null) return -1;
  return compareValues(value, from) * (descending ? -1 : 1);
}
