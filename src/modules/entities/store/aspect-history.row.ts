import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value that an aspect had before. */
@Entity('aspect_history')
export class AspectHistoryRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  @PrimaryColumn({ type: 'bigint' })
  version!: number;

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
