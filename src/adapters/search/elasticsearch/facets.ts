import {
  compareTexts,
  type FacetRequest,
  type FacetResult,
  type FacetValue,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { literalPattern } from './query-language.js';
import { SEPARATOR } from './terms.js';

/** Between the values of a facet over two fields. */
const NESTED = '␞';

/** Values that each index counts before they are added up; beyond it, counts over several entity types are near ones. */
const COUNTED = 1000;

interface Bucket {
  key: string | number;
  doc_count: number;
  values?: Aggregation;
}

export interface Aggregation {
  buckets?: Bucket[];
  values?: Aggregation;
}

/** The aggregations of facets, by their number. Undefined when none is asked for. */
export function facetAggregations(
  requests: readonly FacetRequest[],
  maxValues: number,
  places: Places,
): Record<string, object> | undefined {
  if (requests.length === 0 || maxValues <= 0) return undefined;
  const named = requests.flatMap(({ fields }, i) => {
    const aggregation = fieldAggregation(fields, maxValues, places);
    return aggregation ? [[`f${i}`, aggregation] as const] : [];
  });
  return Object.fromEntries(named);
}

/** What the aggregations answered, as the kernel wants it: by count, equal ones by value. */
export function facetResults(
  requests: readonly FacetRequest[],
  maxValues: number,
  found: Readonly<Record<string, Aggregation>> | undefined,
  places: Places,
): FacetResult[] {
  return requests.map(({ name, fields }, i) => {
    const values = valuesOf(found?.[`f${i}`], fields, places, '');
    values.sort((a, b) => b.count - a.count || compareTexts(a.value, b.value));
    return { name, values: values.slice(0, Math.max(0, maxValues)) };
  });
}

/**
 * Counts of the values of the first field, and within each of those of the next. Of the best of all counts none is
 * missed: a value counts at least as often as what is within it.
 */
function fieldAggregation(fields: readonly string[], size: number, places: Places): object | undefined {
  const [field, ...inner] = fields;
  if (field === undefined) return undefined;
  const place = places.of(field);
  const within = fieldAggregation(inner, size, places);
  const more = within ? { aggs: { values: within } } : {};
  const order = [{ _count: 'desc' }, { _key: 'asc' }];
  const shape = { size, shard_size: Math.max(COUNTED, size * 2), order };
  if (place.in !== 'terms') {
    return { terms: { field: place.in === 'urn' ? 'urn' : place.text, ...shape }, ...more };
  }
  const include = `${literalPattern(place.key.toWellFormed() + SEPARATOR)}.*`;
  return {
    // Only the documents that have the field are looked at: that is what makes it cheap.
    filter: { term: { sp_k: place.key.toWellFormed() } },
    aggs: { values: { terms: { field: 'sp_s', include, ...shape }, ...more } },
  };
}

function valuesOf(
  aggregation: Aggregation | undefined,
  [field, ...inner]: readonly string[],
  places: Places,
  before: string,
): FacetValue[] {
  if (field === undefined || !aggregation) return [];
  const place = places.of(field);
  const keyed = place.in === 'terms';
  const buckets = (keyed ? aggregation.values?.buckets : aggregation.buckets) ?? [];
  const head = keyed ? place.key.toWellFormed().length + SEPARATOR.length : 0;
  return buckets.flatMap((bucket) => {
    const value = before + String(bucket.key).slice(head);
    return [{ value, count: bucket.doc_count }, ...valuesOf(bucket.values, inner, places, value + NESTED)];
  });
}
