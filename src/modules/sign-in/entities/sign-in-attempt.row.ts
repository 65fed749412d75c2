import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Attempts within a time: for a user name, from an address, or both, as a hash. */
@Entity('sign_in_attempt')
export class SignInAttemptRow {
  @PrimaryColumn({ type: 'varchar' })
  subject!: string;

  @Column({ type: 'bigint' })
  attempts!: number;

  @Column({ name: 'ends_at', type: 'bigint' })
  endsAt!: number;
}
