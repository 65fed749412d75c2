import { readPageSize } from '../graphql/index.js';
import { MAX_EVENTS } from './timeseries.routes.js';

/** How many events are read by default: the latest few, and more where the caller gives a start time. */
const USUAL = { latest: 10, since: 1_000 } as const;

/** The description of the argument. */
export const LIMIT = 'Default 10; 1000 where startTimeMillis says since when.';

/** How many events are wanted. @throws CatalogError PARAMETER_INVALID */
export function readLimit(limit: number | null | undefined, since: number | null | undefined): number {
  const usual = typeof since === 'number' ? USUAL.since : USUAL.latest;
  return readPageSize(limit, usual, '/limit', MAX_EVENTS);
}
