import { Column, Entity, PrimaryColumn } from 'typeorm';

export type RemovalReason = 'deleted' | 'version';
export type RemovalState = 'waiting' | 'running' | 'done';

/** A change that made values of a structured property unreadable, and how far their removal is. Kept as a record. */
@Entity('property_removal')
export class PropertyRemovalRow {
  /** Number of the change in the change log; negative without one. */
  @PrimaryColumn({ type: 'bigint' })
  change_id!: number;

  /** The property. */
  @Column({ type: 'bigint' })
  entity_id!: number;

  @Column({ type: 'varchar' })
  reason!: RemovalReason;

  @Column({ type: 'varchar' })
  state!: RemovalState;

  /** Holders found at the start. */
  @Column({ type: 'bigint' })
  total!: number;

  /** Holders looked at. */
  @Column({ type: 'bigint' })
  done!: number;

  /** Holders that lost values. */
  @Column({ type: 'bigint' })
  removed!: number;

  /** Where the next part begins. */
  @Column({ type: 'bigint' })
  last_holder!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  requested_at!: number;

  /** 0 = not yet. */
  @Column({ type: 'bigint' })
  started_at!: number;

  /** 0 = not yet. */
  @Column({ type: 'bigint' })
  finished_at!: number;
}
