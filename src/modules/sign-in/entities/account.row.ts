import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../catalog/auth/index.js';

/** An account: a user who may sign in with a password. */
@Entity('account')
export class AccountRow {
  /** URN of the user. */
  @PrimaryColumn({ type: 'varchar' })
  actor!: string;

  @Column({ type: 'varchar' })
  role!: Role;

  /** What {@link hashPassword} makes of the password; '' until one is set. */
  @Column({ type: 'varchar' })
  password!: string;

  /** Since when the user existed when the password was set: a user of the same name that comes later is another. */
  @Column({ type: 'bigint' })
  life!: number;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;

  @Column({ name: 'created_by', type: 'varchar' })
  createdBy!: string;
}
