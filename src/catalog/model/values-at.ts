import { escapePointer, isRecord } from './json-schema.js';
import type { Steps } from '../schedule/index.js';
import { namesRecord } from './union.js';

/** Members that are looked into in one go. */
const TOGETHER = 1_000;

/** A value found in an aspect, and where. */
export interface FoundValue {
  readonly value: unknown;
  /** RFC 6901 JSON pointer. */
  readonly pointer: string;
}

/**
 * The values at a path of a mark, in document order. `*` stands for each element of an array or each value of a
 * map; a record name finds the member of a union whatever its namespace. Absent fields give nothing.
 */
export function valuesAt(value: unknown, path: readonly string[]): FoundValue[] {
  const found: FoundValue[] = [];
  collect(value, path, [], 0, found);
  return found;
}

/** {@link valuesAt} of a large value, in steps. */
export function* valuesAtInSteps(value: unknown, path: readonly string[]): Steps<FoundValue[]> {
  const star = path.indexOf('*');
  const found: FoundValue[] = [];
  if (star < 0) return valuesAt(value, path);
  for (const { value: outer, pointer } of valuesAt(value, path.slice(0, star))) {
    const rest = path.slice(star + 1);
    const keys = Array.isArray(outer) ? undefined : isRecord(outer) ? Object.keys(outer) : [];
    const count = keys?.length ?? (outer as unknown[]).length;
    for (let next = 0; next < count; next += 1) {
      const key = keys?.[next] ?? String(next);
      const inner = (outer as Record<string, unknown>)[key];
      const place = `${pointer}/${escapePointer(key)}`;
      for (const each of yield* valuesAtInSteps(inner, rest))
        found.push({ value: each.value, pointer: place + each.pointer });
      if (next % TOGETHER === TOGETHER - 1) yield;
    }
  }
  return found;
}

/** The same without where they are, which costs more to say than to find them. */
export function plainValuesAt(value: unknown, path: readonly string[]): unknown[] {
  const found: unknown[] = [];
  collectPlain(value, path, 0, found);
  return found;
}

function collect(
  value: unknown,
  path: readonly string[],
  place: Array<string | number>,
  at: number,
  found: FoundValue[],
): void {
  const segment = path[at];
  if (segment === undefined) {
    if (value !== undefined && value !== null) found.push({ value, pointer: pointerOf(place) });
    return;
  }
  const enter = (inner: unknown, key: string | number): void => {
    place.push(key);
    collect(inner, path, place, at + 1, found);
    place.pop();
  };
  if (segment === '*') {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) enter(value[i], i);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) enter(value[key], key);
    }
    return;
  }
  if (!isRecord(value)) return;
  const key = memberOf(value, segment);
  if (key !== undefined) enter(value[key], key);
}

function collectPlain(value: unknown, path: readonly string[], at: number, found: unknown[]): void {
  if (value === undefined || value === null) return;
  const segment = path[at];
  if (segment === undefined) found.push(value);
  else if (Array.isArray(value)) {
    if (segment === '*') for (const inner of value) collectPlain(inner, path, at + 1, found);
  } else if (isRecord(value)) {
    if (segment === '*') {
      for (const key of Object.keys(value)) collectPlain(value[key], path, at + 1, found);
      return;
    }
    const key = memberOf(value, segment);
    if (key !== undefined) collectPlain(value[key], path, at + 1, found);
  }
}

/** The member that a segment of a path names. */
function memberOf(value: Record<string, unknown>, segment: string): string | undefined {
  if (Object.hasOwn(value, segment)) return segment;
  return segment.includes('.') ? Object.keys(value).find((key) => namesRecord(key, segment)) : undefined;
}

function pointerOf(place: ReadonlyArray<string | number>): string {
  let pointer = '';
  for (const key of place) pointer += typeof key === 'number' ? `/${key}` : `/${escapePointer(key)}`;
  return pointer;
}
