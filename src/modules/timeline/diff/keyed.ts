import { isRecord } from '../../../catalog/model/index.js';

/** The records of a list field by a key; those without one are left out. */
export function keyed(
  value: unknown,
  field: string,
  key: (entry: Record<string, unknown>) => unknown,
): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  const list = isRecord(value) ? value[field] : undefined;
  if (!Array.isArray(list)) return found;
  for (const entry of list) {
    if (!isRecord(entry)) continue;
    const name = key(entry);
    if (typeof name === 'string' && !found.has(name)) found.set(name, entry);
  }
  return found;
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

/** The URN of a column. */
export function columnUrn(entityUrn: string, fieldPath: string): string {
  return `urn:li:schemaField:(${entityUrn},${fieldPath})`;
}
