import { isRecord } from '../../../catalog/model/index.js';

/** The records of a list field by a key; those without one are left out. */
export function keyed(
  value: unknown,
  field: string,
  key: (entry: Record<string, unknown>) => unknown,
): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [name, entry] of keysOf(value, field, key)) if (!found.has(name)) found.set(name, entry);
  return found;
}

/** The same, where each record counts: one whose key is there already has a number behind it. */
export function eachKeyed(
  value: unknown,
  field: string,
  key: (entry: Record<string, unknown>) => unknown,
): Map<string, Record<string, unknown>> {
  return numbered(keysOf(value, field, key));
}

/** Entries by their keys; each further one of a key has its number behind a line feed. */
export function numbered<T>(entries: ReadonlyArray<[string, T]>): Map<string, T> {
  const found = new Map<string, T>();
  // Where the next of a key begins to look: thousands may be equal.
  const counts = new Map<string, number>();
  for (const [key, entry] of entries) {
    let free = key;
    let count = counts.get(key) ?? 1;
    while (found.has(free)) free = `${key}\n${(count += 1)}`;
    counts.set(key, count);
    found.set(free, entry);
  }
  return found;
}

function keysOf(
  value: unknown,
  field: string,
  key: (entry: Record<string, unknown>) => unknown,
): Array<[string, Record<string, unknown>]> {
  const list = isRecord(value) ? value[field] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((entry): Array<[string, Record<string, unknown>]> => {
    const name = key(entry);
    return typeof name === 'string' ? [[name, entry]] : [];
  });
}

/** What came, what went and what is there twice. */
export function compare<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): { added: Array<[string, T]>; removed: Array<[string, T]>; both: Array<[string, T, T]> } {
  const both: Array<[string, T, T]> = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    if (then !== undefined) both.push([key, then, now]);
  }
  return {
    added: [...after].filter(([key]) => !before.has(key)),
    removed: [...before].filter(([key]) => !after.has(key)),
    both,
  };
}
