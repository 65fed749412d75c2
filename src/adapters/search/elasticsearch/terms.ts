import { createHash } from 'node:crypto';
import type { FieldValue } from '../../../catalog/search/index.js';

/** Between the key of a field and its value. */
export const SEPARATOR = '\u0000';
/** Between the beginning of a value that is too long for a term, and its digest. */
const CUT = '\u0001';
/** The digest is written in private characters, which no search for a part of a text looks for. */
const DIGEST_BASE = 0xe100;

/** Lucene takes no term of more than 32766 bytes. */
const MAX_BYTES = 32_000;
const KEPT_CHARACTERS = 1000;

/** A text as a term: itself, or its beginning and a digest when it is too long. */
export function termOf(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length * 3 <= MAX_BYTES || Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const kept = whole.slice(0, KEPT_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  const digest = createHash('sha256').update(whole).digest();
  return kept + CUT + [...digest].map((byte) => String.fromCharCode(DIGEST_BASE + byte)).join('');
}

/** The value of a field as text; numbers as JavaScript writes them. */
export function valueTerm(value: FieldValue): string {
  return termOf(String(value));
}

export function keyedTerm(key: string, term: string): string {
  return key.toWellFormed() + SEPARATOR + term;
}

const TOP = 1n << 63n;
const ALL = (1n << 64n) - 1n;
const view = new DataView(new ArrayBuffer(8));

/** The number that `orderKey` has made the text of. */
export function numberOf(key: string): number {
  const bits = BigInt(`0x${key}`);
  view.setBigUint64(0, (bits & TOP) !== 0n ? bits ^ TOP : ~bits & ALL);
  return view.getFloat64(0);
}

/** 16 hexadecimal digits that sort as the number does; -0 is 0. */
export function orderKey(number: number): string {
  view.setFloat64(0, number === 0 ? 0 : number);
  const bits = view.getBigUint64(0);
  return ((bits & TOP) !== 0n ? ~bits & ALL : bits | TOP).toString(16).padStart(16, '0');
}
