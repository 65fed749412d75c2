import type { AspectHistoryRow } from './aspect-history.row.js';
import type { RelationshipRow } from './relationship.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';

/** The columns that an earlier value has in common with the latest one, and with one that was deleted. */
export const VERSION_COLUMNS = [
  'entity_id',
  'aspect',
  'version',
  'value',
  'system_metadata',
  'created_at',
  'created_by',
] as const satisfies ReadonlyArray<keyof AspectHistoryRow>;

/** The columns of an event of a time series. */
export const EVENT_COLUMNS = [
  'entity_id',
  'aspect',
  'time',
  'message',
  'value',
  'system_metadata',
  'created_at',
  'created_by',
] as const satisfies ReadonlyArray<keyof TimeseriesAspectRow>;

export const RELATIONSHIP_COLUMNS = [
  'source_id',
  'type',
  'target_id',
  'aspect',
  'path',
] as const satisfies ReadonlyArray<keyof RelationshipRow>;
