import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A name that belongs to one entity at a time. */
@Entity('claim')
export class ClaimRow {
  @PrimaryColumn({ type: 'varchar' })
  name!: string;

  @Column({ type: 'bigint' })
  entity_id!: number;
}
