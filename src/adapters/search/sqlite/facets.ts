import {
  compareTexts,
  type FacetRequest,
  type FacetResult,
  type FacetValue,
} from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import type { Steps } from './steps.js';
import { BODIES, type BodyFields, type TermReader } from './term-reader.js';
import { isLong } from './terms.js';

/** Between the values of a facet over two fields. */
const NESTED = '␞';

/** Up to this many hits their bodies are read instead of the values of all documents. */
const FEW = 400;

/** Counts of values within the hits. */
export function* facetsOf(
  terms: TermReader,
  hits: DocSet,
  requests: readonly FacetRequest[],
  maxValues: number,
): Steps<FacetResult[]> {
  if (requests.length === 0) return [];
  if (hits.size > FEW) {
    const found: FacetResult[] = [];
    for (const { name, fields } of requests) {
      yield;
      found.push({ name, values: top(yield* count(terms, hits, fields), maxValues) });
    }
    return found;
  }
  const bodies: BodyFields[] = [];
  for (const { fields } of terms.bodies(hits)) if (bodies.push(fields) % BODIES === 0) yield;
  return requests.map(({ name, fields }) => ({ name, values: top(countBodies(bodies, fields), maxValues) }));
}

function top(values: FacetValue[], maxValues: number): FacetValue[] {
  return values.sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)).slice(0, maxValues);
}

function countBodies(bodies: readonly BodyFields[], fields: readonly string[]): FacetValue[] {
  const counts = new Map<string, number>();
  const add = (body: BodyFields, prefix: string, [field, ...inner]: readonly string[]): void => {
    for (const value of (field !== undefined && body[field]) || []) {
      const name = `${prefix}${value}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (inner.length > 0) add(body, `${name}${NESTED}`, inner);
    }
  };
  for (const body of bodies) add(body, '', fields);
  return [...counts].map(([value, n]) => ({ value, count: n }));
}

function* count(terms: TermReader, within: DocSet, fields: readonly string[]): Steps<FacetValue[]> {
  const [field, ...inner] = fields;
  if (field === undefined) return [];
  const counts = [...(yield* terms.counts(field, within)), ...(yield* terms.longCounts(field, within))];
  const values = counts.map((c) => ({ value: String(c.value), count: c.count, term: c.value }));
  const all = values.map(({ value, count: n }) => ({ value, count: n }));
  if (inner.length === 0) return all;
  for (const outer of values) {
    yield;
    for (const value of yield* nest(terms, within, field, outer.term, inner)) all.push(value);
  }
  return all;
}

/** Counts of the inner fields among the documents that have one value of the outer field. */
function* nest(
  terms: TermReader,
  within: DocSet,
  field: string,
  outer: string | number,
  inner: readonly string[],
): Steps<FacetValue[]> {
  const set =
    typeof outer === 'string' && isLong(outer)
      ? yield* terms.scan(field, terms.withLongValue(field).and(within), (value) => value === outer)
      : terms.withValue(field, outer).and(within);
  return (yield* count(terms, set, inner)).map((c) => ({
    value: `${outer}${NESTED}${c.value}`,
    count: c.count,
  }));
}
