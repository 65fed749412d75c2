import { escapePointer, isRecord } from './json-schema.js';
import { namesRecord } from './union.js';

/** Members of a part of a large value. */
const PART = 1_000;

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

/** The same without where they are, which costs more to say than to find them. */
export function plainValuesAt(value: unknown, path: readonly string[]): unknown[] {
  const found: unknown[] = [];
  collectPlain(value, path, 0, found);
  return found;
}

/** A large value in parts: each is of its form, and has some of what the value has at the path. All of them have all of it. */
export function* partsAt(
  value: Record<string, unknown>,
  path: readonly string[],
): Generator<Record<string, unknown>, void, void> {
  for (const part of partsOf(value, path)) if (isRecord(part)) yield part;
}

function* partsOf(value: unknown, path: readonly string[]): Generator<unknown, void, void> {
  const star = path.indexOf('*');
  if (star < 0) return yield value;
  const names = path.slice(0, star);
  const around = (inner: unknown): unknown =>
    names.reduceRight<unknown>((whole, name) => ({ [name]: whole }), inner);
  for (const all of plainValuesAt(value, names)) {
    if (typeof all !== 'object' || all === null) continue;
    const members = all as Record<string, unknown>;
    const keys = Object.keys(members);
    // A map without a prototype is a dictionary to V8 from the start, and does not become one key by key.
    const wrapped = (some: readonly string[], memberOf: (key: string) => unknown): unknown => {
      if (Array.isArray(all)) return around(some.map(memberOf));
      const map = Object.create(null) as Record<string, unknown>;
      for (const key of some) map[key] = memberOf(key);
      return around(map);
    };
    if (keys.length > PART) {
      for (let from = 0; from < keys.length; from += PART)
        yield wrapped(keys.slice(from, from + PART), (key) => members[key]);
      continue;
    }
    for (const key of keys)
      for (const part of partsOf(members[key], path.slice(star + 1))) yield wrapped([key], () => part);
  }
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
