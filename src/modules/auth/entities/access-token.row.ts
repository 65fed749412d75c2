import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../catalog/auth/index.js';

/** One access token, as the table keeps it. Times are epoch milliseconds; 0 stands for "never" and "not". */
@Entity('access_token')
export class AccessTokenRow {
  @PrimaryColumn({ type: 'varchar' })
  id!: string;

  /** SHA-256 of the token, hexadecimal. The token itself is kept nowhere. */
  @Column({ type: 'varchar', unique: true })
  hash!: string;

  @Column({ type: 'varchar' })
  actor!: string;

  @Column({ type: 'varchar' })
  role!: Role;

  @Column({ type: 'varchar' })
  name!: string;

  @Column({ type: 'text' })
  description!: string;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;

  @Column({ name: 'created_by', type: 'varchar' })
  createdBy!: string;

  @Column({ name: 'expires_at', type: 'bigint' })
  expiresAt!: number;

  @Column({ name: 'revoked_at', type: 'bigint' })
  revokedAt!: number;

  /** Id of the token that made it; empty when none did. */
  @Column({ type: 'varchar' })
  parent!: string;

  /** When it was first used. */
  @Column({ name: 'used_at', type: 'bigint' })
  usedAt!: number;

  /** When it was noticed that it has expired. */
  @Column({ name: 'ended_at', type: 'bigint' })
  endedAt!: number;

  /**
   * - `''`: a token that is shown to its owner.
   * - `session`: a token that a browser keeps in a cookie; `usedAt` is when its secret was made.
   * - `former`: a replaced secret of a session, for requests that were under way then; `usedAt` is when it was
   *   replaced.
   */
  @Column({ type: 'varchar' })
  kind!: '' | 'session' | 'former';

  /**
   * What a token of an identity provider said of the caller, as JSON: of a session that began with it, and its groups of a token
   * that was made with it.
   */
  @Column({ type: 'text', nullable: true })
  claims!: string | null;
}
