import type { ChangeSubject } from '../change-log/index.js';

/** What a reader wants of a topic; an empty list stands for everything. */
export interface EventFilter {
  readonly entityTypes: readonly string[];
  readonly aspects: readonly string[];
  /** Of entity change events; `RELATIONSHIP` stands for relationship change events. */
  readonly categories: readonly string[];
  /** Patterns of URNs, in which `*` stands for any text. */
  readonly urns: readonly string[];
}

/** Whether a change may stand for events that the reader wants. Categories are looked at later. */
export function wantsEntry({ entityTypes, aspects, urns }: EventFilter, change: ChangeSubject): boolean {
  return (
    isIn(entityTypes, change.entityType) &&
    isIn(aspects, change.aspect) &&
    (urns.length === 0 || urns.some((pattern) => matches(pattern, change.urn)))
  );
}

export const isIn = (list: readonly string[], word: string): boolean =>
  list.length === 0 || list.includes(word);

/** In time that grows with the lengths only. */
export function matches(pattern: string, urn: string): boolean {
  const parts = pattern.split('*');
  const first = parts.shift() as string;
  if (parts.length === 0) return urn === first;
  const last = parts.pop() as string;
  if (!urn.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = urn.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return urn.length - last.length >= at && urn.endsWith(last);
}
