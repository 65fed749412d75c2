import { compareTexts, type FacetRequest, type FacetResult, type FacetValue } from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import type { TermReader } from './term-reader.js';
import { isLong } from './terms.js';

/** Between the values of a facet over two fields. */
const NESTED = '␞';

/** Counts of values within the hits. */
export function facetsOf(
  terms: TermReader,
  hits: DocSet,
  requests: readonly FacetRequest[],
  maxValues: number,
): FacetResult[] {
  return requests.map(({ name, fields }) => ({ name, values: count(terms, hits, fields, maxValues) }));
}

function count(terms: TermReader, within: DocSet, fields: readonly string[], maxValues: number): FacetValue[] {
  const [field, ...inner] = fields;
  if (field === undefined) return [];
  const counts = [...terms.counts(field, within), ...terms.longCounts(field, within)];
  const values = counts.map((c) => ({ value: String(c.value), count: c.count, term: c.value }));
  const nested = inner.length === 0 ? [] : values.flatMap((outer) => nest(terms, within, field, outer.term, inner));
  return [...values.map(({ value, count: n }) => ({ value, count: n })), ...nested]
    .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
    .slice(0, maxValues);
}

/** Counts of the inner fields among the documents that have one value of the outer field. */
function nest(terms: TermReader, within: DocSet, field: string, outer: string | number, inner: readonly string[]) {
  const set =
    typeof outer === 'string' && isLong(outer)
      ? terms.scan(field, terms.withLongValue(field).and(within), (value) => value === outer)
      : terms.withValue(field, outer).and(within);
  return count(terms, set, inner, Infinity).map((c) => ({ value: `${outer}${NESTED}${c.value}`, count: c.count }));
}
