import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The first answer to a write that carried an Idempotency-Key. */
@Entity('idempotency_key')
export class IdempotencyKeyRow {
  /** SHA-256 of caller and key. */
  @PrimaryColumn({ type: 'varchar' })
  scope!: string;

  /** SHA-256 of what was asked for. */
  @Column({ type: 'varchar' })
  fingerprint!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  answer!: string;

  @Column({ type: 'bigint' })
  expires_at!: number;
}
