import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value of an aspect that was deleted with it, kept for readers of the change log. */
@Entity('deleted_version')
export class DeletedVersionRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  /** Of the entity, after the deletion: tells the lives of an entity apart. */
  @PrimaryColumn({ type: 'bigint' })
  sequence!: number;

  @PrimaryColumn({ type: 'bigint' })
  version!: number;

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

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  deleted_at!: number;
}
