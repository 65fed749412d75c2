import {
  compareTexts,
  URN_FIELD,
  type FacetRequest,
  type FacetResult,
  type FacetValue,
  type SearchScope,
} from '../../../catalog/search/index.js';
import type { BaseScope } from './base-scope.js';
import { Best } from './best.js';
import type { Column } from './column.js';
import type { DocSet } from './doc-set.js';
import type { Steps } from './steps.js';
import { BODIES, type BodyFields, type TermReader } from './term-reader.js';

/** Between the values of a facet over two fields. */
const NESTED = '␞';
/** Up to so many pairs of sets of values are counted in an array. */
const MOST_PAIRS = 1 << 20;

/** Up to so many hits are looked at for facets of URNs, which are in bodies only. */
const FEW = 400;

type Counts = Map<string, number>;

/** What is counted: some documents, or all of a scope but those. */
interface Counted {
  docs: Uint32Array;
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
  const docs = (allBut ? scope.docs.copy().without(hits) : hits).toArray();
  yield;
  const found: FacetResult[] = [];
  for (const { name, fields } of requests) {
    yield;
    found.push({ name, values: yield* valuesOf(terms, hits, { docs, allBut }, fields, maxValues) });
  }
  return found;
}

function* valuesOf(
  terms: TermReader,
  hits: DocSet,
  counted: Counted,
  fields: readonly string[],
  maxValues: number,
): Steps<FacetValue[]> {
  const columns = fields.map((field) => terms.column(field));
  const [field, column] = [fields[0], columns[0]];
  if (field === undefined || !column) return [];
  const best = new Best<FacetValue>(
    maxValues,
    (a, b) => a.count > b.count || (a.count === b.count && compareTexts(a.value, b.value) < 0),
  );
  const bodies = inBodies(terms, hits, fields, columns);
  if (fields.length === 1 && !bodies) {
    for (const [ordinal, count] of column.valueCounts(setCounts(column, field, counted))) {
      if (count >= (best.last?.count ?? 1)) best.offer({ value: String(column.values[ordinal]), count });
    }
    return best.sorted();
  }
  const counts: Counts = new Map();
  addTuples(counts, (bodies ? hits.copy().without(bodies) : hits).toArray(), columns);
  yield;
  let seen = 0;
  for (const body of terms.bodies(bodies ?? [])) {
    if (++seen % BODIES === 0) yield;
    addBody(counts, body.fields, '', fields);
  }
  for (const [value, count] of counts) best.offer({ value, count });
  return best.sorted();
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
  const bodies = terms.empty();
  for (const { long } of columns) for (const doc of long) if (hits.has(doc)) bodies.add(doc);
  return bodies;
}

/** How many of the documents have each set of values. */
function setCounts(
  column: Column,
  field: string,
  { docs, allBut }: Counted,
): Iterable<readonly [number, number]> {
  if (!allBut) return column.tally(docs);
  const counts = [...allBut.totalsOf(field, column)];
  for (const [set, count] of column.tally(docs)) counts[set]! -= count;
  return counts.entries();
}

/** A set of values of each of some fields, and how many documents have them all. */
interface Tuple {
  sets: readonly number[];
  count: number;
}

/** Counts the values of the first field, then those of the second within each of them, and so on. */
function addTuples(counts: Counts, docs: Uint32Array, columns: readonly Column[]): void {
  let tuples: Tuple[] = [{ sets: [], count: docs.length }];
  const tupleOf = new Uint32Array(docs.length);
  for (const [depth, column] of columns.entries()) {
    const next: Tuple[] = [];
    // What each combination of a tuple so far and a set has been given as its number, plus one.
    const keys = tuples.length * column.setCount;
    const few = keys <= MOST_PAIRS ? new Uint32Array(keys) : undefined;
    const many = new Map<number, number>();
    const counted = new Uint32Array(Math.min(docs.length, keys) + 1);
    for (let i = 0; i < docs.length; i++) {
      const set = column.setAt(docs[i]!);
      const key = tupleOf[i]! * column.setCount + set;
      let number = few ? few[key]! : (many.get(key) ?? 0);
      if (number === 0) {
        number = next.push({ sets: [...tuples[tupleOf[i]!]!.sets, set], count: 0 });
        if (few) few[key] = number;
        else many.set(key, number);
      }
      tupleOf[i] = number - 1;
      counted[number]!++;
    }
    for (const [i, tuple] of next.entries()) tuple.count = counted[i + 1]!;
    tuples = next;
    for (const { sets, count } of tuples) {
      for (const name of namesOf(sets, columns.slice(0, depth + 1))) add(counts, name, count);
    }
  }
}

/** Every choice of one value of each of the sets, as the facet names it. */
function namesOf(sets: readonly number[], columns: readonly Column[]): string[] {
  let names: string[] | undefined;
  for (const [i, column] of columns.entries()) {
    const values = column.ordinalsOf(sets[i]!).map((ordinal) => String(column.values[ordinal]));
    names = names ? names.flatMap((name) => values.map((value) => name + NESTED + value)) : values;
  }
  return names ?? [];
}

function addBody(
  counts: Counts,
  body: BodyFields,
  prefix: string,
  [field, ...inner]: readonly string[],
): void {
  for (const value of (field !== undefined && body[field]) || []) {
    const name = `${prefix}${value}`;
    add(counts, name, 1);
    if (inner.length > 0) addBody(counts, body, name + NESTED, inner);
  }
}

function add(counts: Counts, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
