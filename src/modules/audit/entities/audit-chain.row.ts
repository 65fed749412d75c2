import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A chain of audit records. Its first record goes on from a record of another chain, its parent. */
@Entity('audit_chain')
export class AuditChainRow {
  @PrimaryColumn({ type: 'varchar' })
  chain!: string;

  /** '' of the first chain of a catalog. */
  @Column({ type: 'varchar' })
  parent!: string;

  @Column({ type: 'bigint' })
  parent_number!: number;

  @Column({ type: 'varchar' })
  parent_hash!: string;

  /** Epoch milliseconds, as all times. */
  @Column({ type: 'bigint' })
  started_at!: number;

  /** A record that it has at least reached. */
  @Column({ type: 'bigint' })
  number!: number;

  @Column({ type: 'varchar' })
  hash!: string;

  /** The last record that retention has removed; 0 of a chain that is whole. */
  @Column({ type: 'bigint' })
  removed_number!: number;

  @Column({ type: 'varchar' })
  removed_hash!: string;

  /** Time of the last record that retention has removed. */
  @Column({ type: 'bigint' })
  removed_until!: number;
}
