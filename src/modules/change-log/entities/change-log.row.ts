import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One change of one aspect, written in the transaction of the change: the outbox of the service. */
@Entity('change_log')
export class ChangeLogRow {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: number;

  @Column({ type: 'bigint' })
  entity_id!: number;

  @Column({ type: 'varchar' })
  aspect!: string;

  @Column({ type: 'varchar' })
  change_type!: string;

  /** Of the entity, after the change. */
  @Column({ type: 'bigint' })
  sequence!: number;

  /** 0 = there was no value. */
  @Column({ type: 'bigint' })
  version_before!: number;

  /** 0 = there is no value. */
  @Column({ type: 'bigint' })
  version_after!: number;

  @Column({ type: 'varchar' })
  actor!: string;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  time!: number;

  /** '' = none. */
  @Column({ type: 'varchar' })
  run_id!: string;

  /** Dense, in the order of publication; 0 = not published yet. */
  @Column({ type: 'bigint' })
  position!: number;

  /** JSON text `{value, systemMetadata}` of a time-series event, which may be replaced later; null of all others. */
  @Column({ type: 'text', nullable: true })
  event!: string | null;

  /** `traceparent` of the request; null where it was not traced. */
  @Column({ type: 'varchar', nullable: true })
  trace!: string | null;
}
