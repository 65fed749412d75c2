import { Entity, PrimaryColumn } from 'typeorm';
import { StoredValueRow } from './stored-value.row.js';

/** A value that an aspect had before. */
@Entity('aspect_history')
export class AspectHistoryRow extends StoredValueRow {
  @PrimaryColumn({ type: 'bigint' })
  version!: number;
}

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
