import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that all processes of one catalog share. */
@Entity('service_secret')
export class ServiceSecretRow {
  @PrimaryColumn({ type: 'varchar' })
  name!: string;

  @Column({ type: 'varchar' })
  value!: string;

  @Column({ type: 'bigint' })
  created_at!: number;
}
