import { Column, PrimaryColumn } from 'typeorm';

/** The columns that every table of values has: latest and earlier ones, those that were deleted, and events. */
export abstract class StoredValueRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  value!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  system_metadata!: string;

  /** When it was written, epoch milliseconds. */
  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;
}
