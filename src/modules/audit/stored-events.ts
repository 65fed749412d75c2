import type { AuditEvent } from '../../catalog/audit/index.js';
import { readJson } from '../../catalog/json/index.js';

type Details = Readonly<Record<string, unknown>>;

/** One event as a row has it. */
export type StoredEvent = [type: string, urn: string, aspect: string, details?: Details];

/** Events one behind the other that differ in their aspects only; null where they have no details. */
type StoredEvents = [type: string, urn: string, details: Details | null, ...aspects: string[]];

/**
 * The JSON text of the events of a record. A batch has many events of one entity with the same details: these are written
 * once, as the text is hashed and kept as long as the record.
 */
export function textOf(events: readonly AuditEvent[]): string {
  const stored: Array<StoredEvent | StoredEvents> = [];
  for (let at = 0; at < events.length;) {
    const { type, urn = '', aspect = '', details } = events[at]!;
    let end = at + 1;
    while (end < events.length && differInAspect(events[at]!, events[end]!)) end += 1;
    if (end > at + 1)
      stored.push([type, urn, details ?? null, ...events.slice(at, end).map((event) => event.aspect ?? '')]);
    else stored.push(details === undefined ? [type, urn, aspect] : [type, urn, aspect, details]);
    at = end;
  }
  return JSON.stringify(stored);
}

/** Reads what {@link textOf} wrote, and the former text, which has every event on its own. */
export function eventsOf(text: string): StoredEvent[] {
  return (readJson(text) as Array<StoredEvent | StoredEvents>).flatMap((stored): StoredEvent[] => {
    if (isOne(stored)) return [stored];
    const [type, urn, details, ...aspects] = stored;
    return aspects.map((aspect) => (details === null ? [type, urn, aspect] : [type, urn, aspect, details]));
  });
}

const isOne = (stored: StoredEvent | StoredEvents): stored is StoredEvent => typeof stored[2] === 'string';

function differInAspect(one: AuditEvent, other: AuditEvent): boolean {
  return one.type === other.type && one.urn === other.urn && isSame(one.details, other.details);
}

/** Details have a handful of names; of values that are lists or records only the same object counts as equal. */
function isSame(one: Details | undefined, other: Details | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
