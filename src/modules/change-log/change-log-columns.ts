import type { ChangeLogRow } from './entities/change-log.row.js';

/** What a writer gives of an entry; the database numbers it. */
export const CHANGE_LOG_COLUMNS: ReadonlyArray<keyof ChangeLogRow> = [
  'entity_id',
  'aspect',
  'change_type',
  'sequence',
  'version_before',
  'version_after',
  'actor',
  'time',
  'run_id',
  'position',
  'event',
  'trace',
];
