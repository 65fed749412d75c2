import type { SortKey, SortPlace, SortValue } from '../../../catalog/search/index.js';
import type { Place, Places } from './columns.js';
import { numberOf, orderKey, SEPARATOR, termOf } from './terms.js';

/** A clause of an order, as a search says it. */
export type Sort = Record<string, object | string>;
type SortTerm = string | number | null;

const BY_URN: Sort = { urn: { order: 'asc' } };

/** The order of the keys, then of URNs; documents without a value come last. */
export function sortClauses(keys: readonly SortKey[], places: Places): Sort[] {
  const clauses = keys.flatMap((key) => clausesOf(key, places.of(key.field)));
  return clauses.some((clause) => 'urn' in clause) ? clauses : [...clauses, BY_URN];
}

/** Where a walk in that order goes on after a place. */
export function searchAfter(place: SortPlace, keys: readonly SortKey[], places: Places): SortTerm[] {
  const terms = keys.flatMap((key, i) => termsOf(place.values[i] ?? null, key, places.of(key.field)));
  const hasUrn = keys.some((key) => places.of(key.field).in === 'urn');
  return hasUrn ? terms : [...terms, place.urn.toWellFormed()];
}

/**
 * The place of a hit from what the engine says it was sorted by, as `placeOf` tells it of the document. Of texts that are
 * too long for a term it is the term.
 */
export function placeAt(
  sorted: readonly unknown[],
  urn: string,
  keys: readonly SortKey[],
  places: Places,
): SortPlace {
  const left = [...sorted];
  const values = keys.map((key): SortValue => {
    const place = places.of(key.field);
    return valueAt(left.splice(0, clausesOf(key, place).length), key, place);
  });
  return { values, urn };
}

function valueAt(terms: readonly unknown[], { descending }: SortKey, place: Place): SortValue {
  if (place.in === 'urn') return String(terms[0]);
  if (place.in === 'terms') {
    if (terms[0] === 2) return null;
    const isNumber = (terms[0] === 1) === descending;
    return isNumber ? numberOf(String(terms[1])) : String(terms[1]);
  }
  const first = place.hasNumbers && place.hasTexts ? terms[1] : terms[0];
  const [number, text] = descending ? [first, terms[0]] : [terms[0], first];
  // Where there is none, the engine says null, or a number beyond all others as a text.
  const found = {
    number: place.hasNumbers && typeof number === 'number' ? number : undefined,
    text: place.hasTexts && typeof text === 'string' ? text : undefined,
  };
  return (descending ? (found.text ?? found.number) : (found.number ?? found.text)) ?? null;
}

function clausesOf({ descending }: SortKey, place: Place): Sort[] {
  const order = descending ? 'desc' : 'asc';
  if (place.in === 'urn') return [{ urn: { order } }];
  const column = (name: string, type: string): Sort => ({
    [name]: { order, missing: '_last', unmapped_type: type },
  });
  if (place.in === 'columns') {
    const numbers = place.hasNumbers ? [column(place.number, 'double')] : [];
    const texts = place.hasTexts ? [column(place.text, 'keyword')] : [];
    // Numbers are before texts.
    return descending ? [...texts, ...numbers] : [...numbers, ...texts];
  }
  const params = { p: place.key.toWellFormed() + SEPARATOR, d: descending };
  const script = (type: string, source: string, way: string): Sort => ({
    _script: { type, order: way, script: { lang: 'painless', source, params } },
  });
  return [script('number', CLASS_SCRIPT, 'asc'), script('string', VALUE_SCRIPT, order)];
}

/** Documents without a value are last in both directions; numbers are before texts upwards. */
const CLASS_SCRIPT = `
  for (v in doc['sp_n']) { if (v.startsWith(params.p)) return params.d ? 1 : 0; }
  for (v in doc['sp_s']) { if (v.startsWith(params.p)) return params.d ? 0 : 1; }
  return 2;`;

/** Of several values the one that comes first in the direction. The values of a document are in their order. */
const VALUE_SCRIPT = `
  String found = null;
  for (v in doc['sp_n']) {
    if (v.startsWith(params.p)) { found = v; if (!params.d) return v.substring(params.p.length()); }
  }
  if (found == null) {
    for (v in doc['sp_s']) {
      if (v.startsWith(params.p)) { found = v; if (!params.d) return v.substring(params.p.length()); }
    }
  }
  return found == null ? '' : found.substring(params.p.length());`;

function termsOf(value: SortValue, { descending }: SortKey, place: Place): SortTerm[] {
  if (place.in === 'urn') return [String(value).toWellFormed()];
  if (place.in === 'columns') {
    const number = typeof value === 'number' ? value : descending ? '-Infinity' : 'Infinity';
    const text = typeof value === 'string' ? termOf(value) : null;
    const numbers = place.hasNumbers ? [number] : [];
    const texts = place.hasTexts ? [text] : [];
    return descending ? [...texts, ...numbers] : [...numbers, ...texts];
  }
  if (value === null) return [2, ''];
  const isNumber = typeof value === 'number';
  return [isNumber === descending ? 1 : 0, isNumber ? orderKey(value) : termOf(value)];
}
