import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../catalog/auth/index.js';

/** What a person is sent: an invitation, with which people make accounts, or the right to set the password of one account, once. */
@Entity('invitation')
export class InvitationRow {
  /** SHA-256 of what is sent, hexadecimal. */
  @PrimaryColumn({ type: 'varchar' })
  hash!: string;

  /** URN of the user whose password may be set; '' in an invitation. */
  @Column({ type: 'varchar' })
  actor!: string;

  /** Of the accounts that are made. */
  @Column({ type: 'varchar' })
  role!: Role;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;

  @Column({ name: 'created_by', type: 'varchar' })
  createdBy!: string;

  @Column({ name: 'expires_at', type: 'bigint' })
  expiresAt!: number;
}
