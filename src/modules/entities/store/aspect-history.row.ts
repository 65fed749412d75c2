import { Entity, PrimaryColumn } from 'typeorm';
import { StoredValueRow } from './stored-value.row.js';

/** A value that an aspect had before. */
@Entity('aspect_history')
export class AspectHistoryRow extends StoredValueRow {
  @PrimaryColumn({ type: 'bigint' })
  version!: number;
}
