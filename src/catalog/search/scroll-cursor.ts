import { refuse } from '../errors/index.js';
import type { SearchDocument } from './search-document.js';
import { URN_FIELD } from './search-document.js';
import type { SortKey } from './search-request.js';

/** Booleans sort as their words. */
export type SortValue = string | number | null;

/** A place in a sorted walk: the values of the sort keys there (null: none), and the URN. */
export interface SortPlace {
  values: readonly SortValue[];
  urn: string;
}

/** Where a document stands: of several values the one that comes first in the direction of the key. */
export function placeOf(
  document: Pick<SearchDocument, 'urn' | 'fields'>,
  sort: readonly SortKey[],
): SortPlace {
  const values = sort.map(({ field, descending }): SortValue => {
    const all = (document.fields[field] ?? []).map((v) => (typeof v === 'boolean' ? String(v) : v));
    if (all.length === 0) return null;
    return all.reduce((best, v) => (compareValues(v, best) < 0 !== descending ? v : best));
  });
  return { values, urn: document.urn };
}

/** Numbers before texts, texts by code points: how every engine orders them. */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return compareTexts(a, b);
}

/** By code points, which is also the order of the UTF-8 bytes. JavaScript's own order differs beyond U+FFFF. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const [high, low] = [isSurrogate(x), isSurrogate(y)];
    return high === low ? x - y : high ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** The place as an opaque text for clients, bound to the order of its walk. */
export function encodeCursor(place: SortPlace, sort: readonly SortKey[]): string {
  return Buffer.from(JSON.stringify([shapeOf(sort), place.values, place.urn])).toString('base64url');
}

/** @throws CatalogError PARAMETER_INVALID when the text is no cursor, or one of another order */
export function decodeCursor(text: string, sort: readonly SortKey[]): SortPlace {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    parsed = undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) throw invalid('was not issued by this service');
  const [shape, values, urn] = parsed as [unknown, unknown, unknown];
  if (shape !== shapeOf(sort)) throw invalid('belongs to a scroll with another order');
  if (
    !Array.isArray(values) ||
    values.length !== sort.length ||
    typeof urn !== 'string' ||
    !values.every(isSortValue)
  ) {
    throw invalid('was not issued by this service');
  }
  return { values, urn };
}

function shapeOf(sort: readonly SortKey[]): string {
  return sort.map((key) => `${key.descending ? '-' : '+'}${key.field}`).join(',');
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

function invalid(what: string) {
  return refuse('PARAMETER_INVALID', `the scroll id ${what}`, '/scrollId');
}

/** Keys after the URN cannot matter: it is unique. */
export function effectiveSort(sort: readonly SortKey[] | undefined): readonly SortKey[] {
  const keys = sort ?? [];
  const urn = keys.findIndex((key) => key.field === URN_FIELD);
  return urn < 0 ? keys : keys.slice(0, urn + 1);
}
