import { URN_FIELD, type FieldValue } from '../../../../catalog/search/index.js';

/** How a value is kept in the `term` table. */
export type TermValue = string | number | Uint8Array;

/** Marks of a field: the document has a value at all; it has one that is in its body only. */
export const HAS_VALUE = new Uint8Array([0]);
export const HAS_LONG = new Uint8Array([1]);

/** Text sorts before all BLOBs and after all numbers: the borders of ranges. */
export const AFTER_TEXT = new Uint8Array(0);

/** Longer values are no values to filter by; only prose and pathological names are that long. */
const MAX_PROSE = 128;
const MAX_NAME = 1024;

/** Whether a text is too long to be a term. A search that asks for it reads the bodies instead. */
export function isLong(text: string): boolean {
  return text.length > MAX_PROSE && (text.length > MAX_NAME || /\s/.test(text));
}

/** The value as a term; undefined when it is too long. */
export function termOf(value: FieldValue): TermValue | undefined {
  if (typeof value === 'number') return value;
  const text = typeof value === 'boolean' ? String(value) : value.toWellFormed();
  return isLong(text) ? undefined : text;
}

/** The lower-case form, when it is another one. */
export function foldOf(value: TermValue): string | null {
  if (typeof value !== 'string') return null;
  const fold = value.toLowerCase();
  return fold === value ? null : fold;
}

/** All terms of a field of a document. URNs have an index of their own. */
export function termsOf(field: string, values: readonly FieldValue[] = []): TermValue[] {
  if (field === URN_FIELD || values.length === 0) return [];
  const terms: TermValue[] = [HAS_VALUE];
  for (const value of values) terms.push(termOf(value) ?? HAS_LONG);
  return terms;
}
