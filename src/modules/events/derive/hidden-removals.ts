import { readJson } from '../../../catalog/json/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import type { SeenValue } from './changed-aspect.js';

/** The aspect whose parts are hidden one by one. */
export const HELD_IN_PARTS = 'structuredProperties';

/** The JSON texts of a value before and after a change, as they are stored. */
export interface StoredChange {
  readonly then: string;
  readonly now: string | undefined;
}

/**
 * What readers may see of structured properties before a change, and those that went with it and are hidden now, as those of a deleted
 * property are before their values are removed: who knows that they were there must learn that they are gone. Their values are not told.
 */
export function withRemoved(seen: SeenValue | undefined, { then, now }: StoredChange): SeenValue | undefined {
  if (seen === undefined) return undefined;
  const value = readJson(seen.text) as Record<string, unknown>;
  const known = new Set([...propertiesOf(value), ...propertiesIn(now)]);
  const removed = [...new Set(propertiesIn(then))].filter((urn) => !known.has(urn));
  if (removed.length === 0) return seen;
  const shown = Array.isArray(value['properties']) ? (value['properties'] as unknown[]) : [];
  const properties = [...shown, ...removed.map((propertyUrn) => ({ propertyUrn }))];
  return { ...seen, text: JSON.stringify({ ...value, properties }) };
}

const propertiesIn = (text: string | undefined): string[] =>
  text === undefined ? [] : propertiesOf(readJson(text));

function propertiesOf(value: unknown): string[] {
  const list = isRecord(value) ? value['properties'] : undefined;
  if (!Array.isArray(list)) return [];
  const urns = list.map((entry: unknown) => (isRecord(entry) ? entry['propertyUrn'] : undefined));
  return urns.filter((urn) => typeof urn === 'string');
}
