import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CleanupState = 'PENDING' | 'DONE';

/** A hard-deleted entity to which references are removed, in the background. */
@Entity('reference_cleanup')
export class ReferenceCleanupRow {
  /** The trace id of the request; the same for all entities that it deleted. */
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
