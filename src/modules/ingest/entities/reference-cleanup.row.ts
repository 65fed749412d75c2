import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CleanupState = 'PENDING' | 'DONE';

/** An entity that was hard-deleted and is removed from what refers to it. */
@Entity('reference_cleanup')
export class ReferenceCleanupRow {
  /** One for all that a request deleted. */
  @PrimaryColumn({ type: 'varchar' })
  trace!: string;

  @PrimaryColumn({ type: 'varchar' })
  urn!: string;

  @Column({ type: 'varchar' })
  actor!: string;

  @Column({ type: 'varchar' })
  state!: CleanupState;

  /** JSON text of a `CleanupReport`. */
  @Column({ type: 'text' })
  report!: string;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  requested_at!: number;

  /** 0 = not yet. */
  @Column({ type: 'bigint' })
  finished_at!: number;
}
