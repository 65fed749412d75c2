import {
  compareTexts,
  URN_FIELD,
  type FacetRequest,
  type FacetResult,
  type FacetValue,
  type SearchReach,
} from '../../../../catalog/search/index.js';
import type { BaseScope } from '../columns/base-scope.js';
import { Best } from './best.js';
import type { Column } from '../columns/column.js';
import type { CountedDocs, Counter } from '../columns/counted-docs.js';
import { Combinations, NESTED } from './combinations.js';
import { DocSet } from '../columns/doc-set.js';
import { preparedSteps, type Steps } from '../steps.js';
import { BODIES, type BodyFields, type TermReader } from './term-reader.js';

/** Totals of so many combinations of values are kept. */
const MOST_KEPT = 1 << 16;

/** Up to so many hits are looked at for facets of URNs, which are in bodies only. */
const FEW = 400;

/** To look at so many documents takes as long as to count the documents that two sets share in one chunk. */
const LOOKS_OF_CHUNK = 1500;

/** Counts of so many values are kept for the hits of one word or value. */
const MOST_VALUES = 1 << 12;

/** What a search looks in, and what it knows of its hits. */
interface Within extends SearchReach {
  /** The hits with what was counted of them before. */
  counted?: CountedDocs | undefined;
  /** Documents that the hits are most of, with what was counted of them before. */
  around?: CountedDocs | undefined;
}

/** Counts of values within the hits of a search. */
export function* facetsOf(
  terms: TermReader,
  hits: DocSet,
  { counted, around, ...reach }: Within,
  requests: readonly FacetRequest[],
  maxValues: number,
): Steps<FacetResult[]> {
  if (requests.length === 0) return [];
  const scope = terms.scope(reach);
  const singles = requests.flatMap(({ fields: [field, ...more] }) =>
    field && more.length === 0 ? field : [],
  );
  const all = { terms, hits, scope, fields: [...new Set(singles)], before: counted };
  const within = new Counted({
    ...all,
    allBut: hits.size * 2 > scope.size ? scope : undefined,
    room: OF_HITS,
  });
  const near = around && new Counted({ ...all, allBut: around, room: AROUND_HITS });
  const found: FacetResult[] = [];
  for (const { name, fields } of requests) {
    yield;
    const columns = fields.map((field) => terms.column(field));
    const apart = inBodies(terms, hits, fields, columns);
    const [column] = columns;
    let values: FacetValue[] = [];
    if (column && fields.length === 1 && !apart) {
      const counts = column.values.length <= MOST_VALUES ? (near ?? within) : within;
      values = yield* valuesOf(counts, fields[0]!, column, maxValues);
    } else if (column) {
      const best = new Best<FacetValue>(
        maxValues,
        (a, b) => a.count > b.count || (a.count === b.count && compareTexts(a.value, b.value) < 0),
      );
      yield* offerNames(best, within, fields, columns, apart);
      values = best.sorted();
    }
    found.push({ name, values });
  }
  return found;
}

/** What a search counts. */
interface Counting {
  readonly terms: TermReader;
  readonly hits: DocSet;
  readonly scope: BaseScope;
  /** All fields whose values are counted. */
  readonly fields: readonly string[];
  /** What was counted of the hits before. */
  readonly before: CountedDocs | undefined;
  /** Documents that hold all hits, where the others are counted. */
  readonly allBut: CountedDocs | undefined;
  /** Where the documents are listed. */
  readonly room: DocRoom;
}

/** What is counted: the hits, or all of some more documents but the others when these are fewer. */
class Counted {
  private ofDocs: DocSet | undefined;
  private ofList: Uint32Array | undefined;
  private ofColumns: ReadonlyMap<Column, Uint32Array> | undefined;

  constructor(readonly of: Counting) {}

  /** The documents to look at, likewise below. */
  get docs(): DocSet {
    const { allBut, hits } = this.of;
    return (this.ofDocs ??= allBut ? allBut.docs.copy().without(hits) : hits);
  }

  /** How many they are. */
  get size(): number {
    const { allBut, hits } = this.of;
    return allBut ? allBut.size - hits.size : hits.size;
  }

  /** Ascending. */
  get list(): Uint32Array {
    return (this.ofList ??= this.of.room.listed(this.docs));
  }

  /** Calls back with how many have each value of a field. */
  count(field: string, column: Column, visit: Visit): void {
    const { docs, list } = this;
    const together = this.together().get(column);
    if (together) {
      for (let ordinal = 0; ordinal + 1 < together.length; ordinal++)
        if (together[ordinal + 1]! > 0) visit(together[ordinal + 1]!, ordinal);
    } else if (column.values.length * docs.chunks * LOOKS_OF_CHUNK > list.length)
      column.countValues(list, visit);
    // Few values of many documents are counted by their sets.
    else
      for (const [ordinal, value] of column.values.entries())
        visit(DocSet.sizeOfBoth(docs, this.of.terms.withValue(field, value)), ordinal);
  }

  /** What was counted by columns that are combined. */
  private together(): ReadonlyMap<Column, Uint32Array> {
    if (this.ofColumns) return this.ofColumns;
    const { list, of } = this;
    const combined = of.terms.combinedFor(of.fields, list.length);
    return (this.ofColumns = combined && list.length > combined.few ? combined.count(list) : new Map());
  }
}

/** Room for documents of one search after the other, as fresh memory costs more than what is done with it. */
class DocRoom {
  private list = new Uint32Array(0);

  /** The documents, ascending. Good until the next call. */
  listed(docs: DocSet): Uint32Array {
    if (this.list.length < docs.size) this.list = new Uint32Array(docs.size + (docs.size >>> 1));
    return this.list.subarray(0, docs.listAll(this.list));
  }
}

/** A search lists documents twice at the most: its hits, and those around them that are no hits. */
const [OF_HITS, AROUND_HITS] = [new DocRoom(), new DocRoom()];

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

/** The values of one field that most of the hits have. */
function* valuesOf(within: Counted, field: string, column: Column, most: number): Steps<FacetValue[]> {
  const { hits, scope, allBut, before } = within.of;
  const best = new BestValues(column, most);
  const all = yield* totalsOf(scope, field, column);
  // Where every document has the same, there is nothing to look at.
  if (within.size > 0 && all.counts.every((count) => count === 0 || count === scope.size)) {
    all.counts.forEach((count, ordinal) => {
      if (count > 0 && hits.size > 0) best.offer(hits.size, ordinal);
    });
    return best.sorted();
  }
  const whole = allBut && (yield* totalsOf(allBut, field, column));
  if (within.size === 0) return whole?.best(most) ?? [];
  const countHits = (visit: Visit): void => {
    if (!whole) {
      within.count(field, column, visit);
      return;
    }
    const rest = [...whole.counts];
    within.count(field, column, (size, ordinal) => (rest[ordinal]! -= size));
    rest.forEach(visit);
  };
  if (!before || column.values.length > MOST_VALUES) {
    countHits((count, ordinal) => best.offer(count, ordinal));
    return best.sorted();
  }
  const totals = yield* before.counter(field, function* () {
    yield;
    return { counter: new ValueTotals(field, column, countHits), keep: true };
  });
  return totals.best(most);
}

/** How many of all of the documents have each value of a field. */
function* totalsOf(all: CountedDocs, field: string, column: Column): Steps<ValueTotals> {
  return yield* all.counter(field, () =>
    preparedSteps(
      (function* () {
        yield;
        const docs = all.docs.toArray();
        return {
          counter: new ValueTotals(field, column, (visit) => column.countValues(docs, visit)),
          keep: true,
        };
      })(),
    ),
  );
}

/** The values of one field that most have, of what is offered. */
class BestValues {
  private readonly found: Best<{ count: number; ordinal: number }>;
  private least = 1;

  constructor(
    private readonly column: Column,
    most: number,
  ) {
    this.found = new Best(
      most,
      (a, b) => a.count > b.count || (a.count === b.count && column.isBefore(a.ordinal, b.ordinal)),
    );
  }

  offer(count: number, ordinal: number): void {
    if (count < this.least) return;
    this.found.offer({ count, ordinal });
    this.least = this.found.last?.count ?? 1;
  }

  /** To be called at the end. */
  sorted(): FacetValue[] {
    return this.found
      .sorted()
      .map(({ count, ordinal }) => ({ value: String(this.column.values[ordinal]), count }));
  }
}

type Visit = (count: number, ordinal: number) => void;

/** How many of some documents have each value of a field, by ordinal. */
class ValueTotals implements Counter {
  readonly fields: readonly string[];
  readonly counts: number[];
  /** The values that most have, until a document comes or leaves. */
  private known: { most: number; values: FacetValue[] } | undefined;

  /** @param countAll calls back with how many of the documents have a value */
  constructor(
    field: string,
    private readonly column: Column,
    countAll: (visit: Visit) => void,
  ) {
    this.fields = [field];
    this.counts = new Array<number>(column.values.length).fill(0);
    countAll((count, ordinal) => (this.counts[ordinal] = count));
  }

  best(most: number): FacetValue[] {
    if (this.known?.most === most) return this.known.values;
    const best = new BestValues(this.column, most);
    this.counts.forEach((count, ordinal) => best.offer(count, ordinal));
    const values = best.sorted();
    this.known = { most, values };
    return values;
  }

  count(doc: number, by: 1 | -1): void {
    const { counts, column } = this;
    this.known = undefined;
    while (counts.length < column.values.length) counts.push(0);
    for (const ordinal of column.ordinalsOf(column.setAt(doc))) counts[ordinal]! += by;
  }
}

/** Offers the names of values of several fields, or of values that are partly in bodies. */
function* offerNames(
  best: Best<FacetValue>,
  within: Counted,
  fields: readonly string[],
  columns: readonly Column[],
  apart: DocSet | undefined,
): Steps<void> {
  const { terms, hits, allBut, before } = within.of;
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
  if (before && !apart) {
    counts = yield* before.counter(`names of ${fields.join(NESTED)}`, function* () {
      const counter = new Combinations(fields, columns);
      yield* counter.countAll(hits.toArray());
      return { counter, keep: counter.size <= MOST_VALUES };
    });
  } else if (allBut) {
    counts = yield* allBut.counter(`names of ${fields.join(NESTED)}`, function* () {
      const counter = new Combinations(fields, columns);
      yield* counter.countAll(allBut.docs.toArray());
      return { counter, keep: counter.size <= MOST_KEPT };
    });
    const rest = new Combinations(fields, columns);
    yield* rest.countAll(apart ? within.docs.copy().or(apart).toArray() : within.list);
    rest.forEach(add(-1));
  } else {
    counts = new Combinations(fields, columns);
    yield* counts.countAll(apart ? within.docs.copy().without(apart).toArray() : within.list);
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
