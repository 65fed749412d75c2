import { Entity, PrimaryColumn } from 'typeorm';
import { StoredValueRow } from './stored-value.row.js';

/** One event of a time-series aspect. */
@Entity('timeseries_aspect')
export class TimeseriesAspectRow extends StoredValueRow {
  /** timestampMillis of the event. */
  @PrimaryColumn({ type: 'bigint' })
  time!: number;

  /** Tells events of one instant apart. */
  @PrimaryColumn({ type: 'varchar' })
  message!: string;
}
