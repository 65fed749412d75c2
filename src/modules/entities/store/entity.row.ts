import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The head of an entity: the row that writers lock. It may exist before its entity, and stays as a tombstone. */
@Entity('entity')
@Index('entity_type', ['type', 'live', 'id'])
export class EntityRow {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: number;

  @Column({ type: 'varchar' })
  @Index('entity_urn', { unique: true })
  urn!: string;

  @Column({ type: 'varchar' })
  type!: string;

  @Column({ type: 'bigint' })
  sequence!: number;

  /** 1 while the entity exists. */
  @Column({ type: 'tinyint' })
  live!: number;

  /** 1 when soft-deleted. */
  @Column({ type: 'tinyint' })
  removed!: number;

  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;

  /**
   * How often an equal value of an aspect was written. Readers see that in the system metadata, so cached states depend
   * on it.
   */
  @Column({ type: 'bigint', default: 0 })
  observations!: number;
}
