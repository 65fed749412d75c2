import { Column, Entity, PrimaryColumn } from 'typeorm';
import { StoredValueRow } from '../../entities/index.js';

/** A value of an aspect that was deleted with it, kept for readers of the change log. */
@Entity('deleted_version')
export class DeletedVersionRow extends StoredValueRow {
  /** Of the entity, after the deletion: tells the lives of an entity apart. */
  @PrimaryColumn({ type: 'bigint' })
  sequence!: number;

  @PrimaryColumn({ type: 'bigint' })
  version!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  deleted_at!: number;
}
