import { isRecord } from '../../../catalog/model/index.js';
import { eachInSteps, type Steps } from '../../../catalog/schedule/index.js';

type Entry = Record<string, unknown>;

/** What very many items come to, one after the other. */
export function* collect<T, R>(items: Iterable<T>, of: (item: T) => readonly R[]): Steps<R[]> {
  const all: R[] = [];
  yield* eachInSteps(items, (item) => {
    for (const each of of(item)) all.push(each);
  });
  return all;
}

/** The records of a list field by a key; those without one are left out. */
export function* keyed(
  value: unknown,
  field: string,
  key: (entry: Entry) => unknown,
): Steps<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  yield* eachInSteps(yield* keysOf(value, field, key), ([name, entry]) => {
    if (!found.has(name)) found.set(name, entry);
  });
  return found;
}

/** The same, where each record counts: one whose key is there already has a number behind it. */
export function* eachKeyed(
  value: unknown,
  field: string,
  key: (entry: Entry) => unknown,
): Steps<Map<string, Entry>> {
  return yield* numbered(yield* keysOf(value, field, key));
}

/** Entries by their keys; each further one of a key has its number behind a line feed. */
export function* numbered<T>(entries: ReadonlyArray<[string, T]>): Steps<Map<string, T>> {
  const found = new Map<string, T>();
  // Where the next of a key begins to look: thousands may be equal.
  const counts = new Map<string, number>();
  yield* eachInSteps(entries, ([key, entry]) => {
    let free = key;
    let count = counts.get(key) ?? 1;
    while (found.has(free)) free = `${key}\n${(count += 1)}`;
    counts.set(key, count);
    found.set(free, entry);
  });
  return found;
}

function* keysOf(
  value: unknown,
  field: string,
  key: (entry: Entry) => unknown,
): Steps<Array<[string, Entry]>> {
  const list = isRecord(value) ? value[field] : undefined;
  const found: Array<[string, Entry]> = [];
  if (!Array.isArray(list)) return found;
  yield* eachInSteps(list, (entry: unknown) => {
    const name = isRecord(entry) ? key(entry) : undefined;
    if (typeof name === 'string') found.push([name, entry as Entry]);
  });
  return found;
}

/** What came, what went and what is there twice. */
export function* compare<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Steps<{ added: Array<[string, T]>; removed: Array<[string, T]>; both: Array<[string, T, T]> }> {
  const added: Array<[string, T]> = [];
  const removed: Array<[string, T]> = [];
  const both: Array<[string, T, T]> = [];
  yield* eachInSteps(after, ([key, now]) => {
    const then = before.get(key);
    if (then !== undefined) both.push([key, then, now]);
    if (!before.has(key)) added.push([key, now]);
  });
  yield* eachInSteps(before, ([key, then]) => {
    if (!after.has(key)) removed.push([key, then]);
  });
  return { added, removed, both };
}

/** All keys of both, those of the second first. */
export function* allKeys(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Iterable<string> {
  yield* after.keys();
  for (const key of before.keys()) if (!after.has(key)) yield key;
}
