import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What holds for the database as a whole: its identity, its epoch, the last system update. */
@Entity('store_fact')
export class StoreFactRow {
  @PrimaryColumn({ type: 'varchar' })
  name!: string;

  @Column({ type: 'text' })
  value!: string;
}
