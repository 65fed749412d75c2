import {
  compareValues,
  URN_FIELD,
  type SortKey,
  type SortPlace,
  type SortValue,
} from '../../../../catalog/search/index.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { URN_INDEX } from '../index-file.js';
import type { Steps } from '../steps.js';
import type { TermReader } from './term-reader.js';

/** So many URNs are walked through for one that is wanted, before all documents are looked at instead. */
const WALKED = 16;
/** Of so many documents in all one must be wanted for a walk. */
const DENSE = 8;
/**
 * A walk through the order in memory is begun where it should take so many times fewer steps than there are documents, and
 * ended after so many: they may all stand far behind.
 */
const SPREAD = 4;

/** The first `count` documents in the order of URNs (by code points), after the given URN. */
export function* byUrn(
  file: IndexConnection,
  terms: Pick<TermReader, 'last' | 'order' | 'isOrderRead'>,
  docs: DocSet,
  count: number,
  descending = false,
  after?: string,
): Steps<number[]> {
  if (count <= 0) return [];
  const walks = !terms.isOrderRead && docs.size * DENSE > terms.last;
  const found = walks ? walked(file, docs, count, descending, after) : [];
  if (found.length === count) return found;
  const { order } = terms;
  const place = after === undefined ? undefined : order.keyAt(file, after, descending ? 'from' : 'upTo');
  // So many documents stand before the last one of the page, when those that are wanted are spread evenly.
  if ((count * terms.last) / docs.size < docs.size / SPREAD) {
    const page = order.first(docs, count, { descending, after: place, most: docs.size / SPREAD });
    if (page) return page;
  }
  return yield* order.least(docs, count, { descending, after: place });
}

/** So many of a set are found at once, where the set stays as it is. */
const KEPT = 100;

/** The same from the first one on, of a set that stays as it is: its first documents are found once. */
export function* firstByUrn(
  file: IndexConnection,
  terms: Pick<TermReader, 'last' | 'order' | 'isOrderRead'>,
  docs: DocSet,
  count: number,
): Steps<number[]> {
  if (count > KEPT) return yield* byUrn(file, terms, docs, count);
  const known = terms.order.firsts.get(docs);
  if (known) return known.slice(0, count);
  const first = yield* byUrn(file, terms, docs, KEPT);
  terms.order.firsts.set(docs, first);
  return first.slice(0, count);
}

/** Those of them that are met on a walk through the next URNs. */
function walked(
  file: IndexConnection,
  docs: DocSet,
  count: number,
  descending: boolean,
  after: string | undefined,
): number[] {
  const bound = after === undefined ? '' : `WHERE urn ${descending ? '<' : '>'} ?`;
  // SQLite plans a statement whose LIMIT is a parameter again for each value; it does not look into an expression.
  const sql = `SELECT id FROM doc INDEXED BY ${URN_INDEX} ${bound} ORDER BY urn ${descending ? 'DESC' : 'ASC'} LIMIT ? + 0`;
  const found: number[] = [];
  const params = after === undefined ? [] : [after];
  for (const [id] of file.rows<[number]>(sql, ...params, count * WALKED)) {
    if (docs.has(id) && found.push(id) === count) break;
  }
  return found;
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
  if (!key || key.field === URN_FIELD)
    return yield* byUrn(file, terms, docs, count, key?.descending, after?.urn);
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
      else if (place === 0) yield* take(DocSet.of([holders]), rest);
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
