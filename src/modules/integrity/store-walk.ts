import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { SqlValue } from '../../catalog/store/index.js';

/** What is walked, in this order. */
export const WALKS = ['entity', 'aspect_history', 'timeseries_aspect'] as const;

/** The last row that was read of a table, by its key; an empty key stands before the first. */
export interface StorePlace {
  readonly table: (typeof WALKS)[number];
  readonly key: readonly SqlValue[];
}

/** How many parts the keys have. */
const KEY_PARTS: Readonly<Record<StorePlace['table'], number>> = {
  entity: 1,
  aspect_history: 3,
  timeseries_aspect: 4,
};

/** The text of a place, for callers to send back. */
export function writePlace(place: StorePlace): string {
  return JSON.stringify([place.table, ...place.key]);
}

/** @throws CatalogError PARAMETER_INVALID */
export function readPlace(text: string): StorePlace {
  const [table, ...key] = partsOf(text);
  const known = WALKS.find((name) => name === table);
  const full = known !== undefined && [0, KEY_PARTS[known]].includes(key.length);
  if (!full || !key.every((part) => typeof part === 'string' || Number.isSafeInteger(part)))
    throw refuse('PARAMETER_INVALID', '"from" must be the "next" of an answer', '/from');
  return { table: known, key: key as SqlValue[] };
}

function partsOf(text: string): unknown[] {
  try {
    const value: unknown = readJson(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
