import { escapePointer, isRecord } from './json-schema.js';
import { namesRecord } from './union.js';

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
  collect(value, path, 0, '', found);
  return found;
}

function collect(
  value: unknown,
  path: readonly string[],
  at: number,
  pointer: string,
  found: FoundValue[],
): void {
  const segment = path[at];
  if (segment === undefined) {
    if (value !== undefined && value !== null) found.push({ value, pointer });
    return;
  }
  if (segment === '*') {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) collect(value[i], path, at + 1, `${pointer}/${i}`, found);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        collect(value[key], path, at + 1, `${pointer}/${escapePointer(key)}`, found);
      }
    }
    return;
  }
  if (!isRecord(value)) return;
  if (Object.hasOwn(value, segment)) {
    collect(value[segment], path, at + 1, `${pointer}/${escapePointer(segment)}`, found);
  } else if (segment.includes('.')) {
    const key = Object.keys(value).find((k) => namesRecord(k, segment));
    if (key !== undefined) collect(value[key], path, at + 1, `${pointer}/${escapePointer(key)}`, found);
  }
}
