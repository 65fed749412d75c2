import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One event of a time-series aspect. */
@Entity('timeseries_aspect')
export class TimeseriesAspectRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  /** timestampMillis of the event. */
  @PrimaryColumn({ type: 'bigint' })
  time!: number;

  /** Tells events of one instant apart. */
  @PrimaryColumn({ type: 'varchar' })
  message!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  value!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  system_metadata!: string;

  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;
}

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
