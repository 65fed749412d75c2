import {
  compareTexts,
  URN_FIELD,
  type FacetRequest,
  type FacetResult,
  type FacetValue,
  type SearchScope,
} from '../../../../catalog/search/index.js';
import type { BaseScope, Counter } from '../columns/base-scope.js';
import { Best } from './best.js';
import type { Column } from '../columns/column.js';
import { Combinations, NESTED } from './combinations.js';
import { DocSet } from '../columns/doc-set.js';
import type { Steps } from '../steps.js';
import { BODIES, type BodyFields, type TermReader } from './term-reader.js';

/** Totals of so many combinations of values are kept. */
const MOST_KEPT = 1 << 16;

/** Up to so many hits are looked at for facets of URNs, which are in bodies only. */
const FEW = 400;

/** To look at so many documents takes as long as to count the documents that two sets share in one chunk. */
const LOOKS_OF_CHUNK = 1500;

/** What is counted: some documents, or all of a scope but those. */
interface Counted {
  docs: DocSet;
  allBut: BaseScope | undefined;
}

/** Counts of values within the hits of a search. */
export function* facetsOf(
  terms: TermReader,
  hits: DocSet,
  { entities, includeRemoved }: Pick<SearchScope, 'entities' | 'includeRemoved'>,
  requests: readonly FacetRequest[],
  maxValues: number,
): Steps<FacetResult[]> {
  if (requests.length === 0) return [];
  const scope = terms.scope(entities, includeRemoved);
  const allBut = hits.size * 2 > scope.size ? scope : undefined;
  const counted = { docs: allBut ? scope.docs.copy().without(hits) : hits, allBut };
  const docs = listed(counted.docs);
  const found: FacetResult[] = [];
  for (const { name, fields } of requests) {
    yield;
    const columns = fields.map((field) => terms.column(field));
    const best = new Best<FacetValue>(
      maxValues,
      (a, b) => a.count > b.count || (a.count === b.count && compareTexts(a.value, b.value) < 0),
    );
    const apart = inBodies(terms, hits, fields, columns);
    const [column] = columns;
    if (column && fields.length === 1 && !apart)
      yield* offerValues(best, terms, fields[0]!, column, scope, { ...counted, list: docs });
    else if (column) yield* offerNames(best, terms, fields, columns, { ...counted, list: docs }, apart);
    found.push({ name, values: best.sorted() });
  }
  return found;
}

/** Room for the documents of one search after the other, as fresh memory costs more than what is done with it. */
let room = new Uint32Array(0);

/** The documents, ascending. Good until the next call. */
function listed(docs: DocSet): Uint32Array {
  if (room.length < docs.size) room = new Uint32Array(docs.size + (docs.size >>> 1));
  return room.subarray(0, docs.listAll(room));
}

/** Hits with values that are in their bodies only, if there are any. */
function inBodies(
  terms: TermReader,
  hits: DocSet,
  fields: readonly string[],
  columns: readonly Column[],
): DocSet | undefined {
  if (fields.includes(URN_FIELD)) return hits.size <= FEW ? hits : undefined;
  if (columns.every(({ long }) => long.size === 0)) return undefined;
  const bodies = new DocSet();
  for (const { long } of columns) for (const doc of long) if (hits.has(doc)) bodies.add(doc);
  return bodies;
}

/** Offers the values of one field that some documents of the scope have, or all but these. */
function* offerValues(
  best: Best<FacetValue>,
  terms: TermReader,
  field: string,
  column: Column,
  scope: BaseScope,
  { docs, list, allBut }: Counted & { list: Uint32Array },
): Steps<void> {
  const offer = (count: number, ordinal: number): void => {
    if (count >= (best.last?.count ?? 1)) best.offer({ value: String(column.values[ordinal]), count });
  };
  const all = yield* scope.counter(field, function* () {
    yield;
    return { counter: new ValueTotals(field, column, scope), keep: true };
  });
  // Where every document has the same, there is nothing to look at.
  if (list.length > 0 && all.counts.every((count) => count === 0 || count === scope.size)) {
    const size = allBut ? scope.size - list.length : list.length;
    all.counts.forEach((count, ordinal) => {
      if (count > 0 && size > 0) offer(size, ordinal);
    });
    return;
  }
  if (list.length === 0) {
    if (allBut) all.counts.forEach(offer);
    return;
  }
  const count = function (visit: (count: number, ordinal: number) => void): void {
    // Few values of many documents are counted by their sets.
    if (column.values.length * docs.chunks * LOOKS_OF_CHUNK > list.length) column.countValues(list, visit);
    else
      for (const [ordinal, value] of column.values.entries())
        visit(DocSet.sizeOfBoth(docs, terms.withValue(field, value)), ordinal);
  };
  if (!allBut) {
    count(offer);
    return;
  }
  const rest = [...all.counts];
  count((size, ordinal) => (rest[ordinal]! -= size));
  rest.forEach(offer);
}

/** How many documents of a scope have each value of a field, by ordinal. */
class ValueTotals implements Counter {
  readonly fields: readonly string[];
  readonly counts: number[];

  constructor(
    field: string,
    private readonly column: Column,
    scope: BaseScope,
  ) {
    this.fields = [field];
    this.counts = new Array<number>(column.values.length).fill(0);
    column.countValues(scope.docs.toArray(), (count, ordinal) => (this.counts[ordinal] = count));
  }

  count(doc: number, by: 1 | -1): void {
    const { counts, column } = this;
    while (counts.length < column.values.length) counts.push(0);
    for (const ordinal of column.ordinalsOf(column.setAt(doc))) counts[ordinal]! += by;
  }
}

/** Offers the names of values of several fields, or of values that are partly in bodies. */
function* offerNames(
  best: Best<FacetValue>,
  terms: TermReader,
  fields: readonly string[],
  columns: readonly Column[],
  { docs, list, allBut }: Counted & { list: Uint32Array },
  apart: DocSet | undefined,
): Steps<void> {
  /** What else is in the bodies, and what is too much in the totals. */
  const more = new Map<string, number>();
  let seen = 0;
  for (const { fields: body } of terms.bodies(apart ?? [])) {
    if (++seen % BODIES === 0) yield;
    for (const name of namesIn(body, fields)) more.set(name, (more.get(name) ?? 0) + 1);
  }
  const add = (by: 1 | -1) => (count: number, name: string) =>
    more.set(name, (more.get(name) ?? 0) + by * count);
  let counts: Combinations;
  if (allBut) {
    counts = yield* allBut.counter(`names of ${fields.join(NESTED)}`, function* () {
      const counter = new Combinations(fields, columns);
      yield* counter.countAll(allBut.docs.toArray());
      return { counter, keep: counter.size <= MOST_KEPT };
    });
    const rest = new Combinations(fields, columns);
    yield* rest.countAll(apart ? docs.copy().or(apart).toArray() : list);
    rest.forEach(add(-1));
  } else {
    counts = new Combinations(fields, columns);
    yield* counts.countAll(apart ? docs.copy().without(apart).toArray() : list);
  }
  if (more.size > 0) counts.forEach(add(1));
  const offer = (count: number, name: string): void => {
    if (count > 0) best.offer({ value: name, count });
  };
  if (more.size > 0) more.forEach(offer);
  else counts.forEach(offer, () => best.last?.count ?? 1);
}

/** The names of a facet that a document counts for. */
function namesIn(body: BodyFields, [field, ...inner]: readonly string[]): string[] {
  return ((field !== undefined && body[field]) || []).flatMap((value) => [
    String(value),
    ...(inner.length > 0 ? namesIn(body, inner).map((name) => `${value}${NESTED}${name}`) : []),
  ]);
}
