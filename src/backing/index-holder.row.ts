import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which search index a running process follows. */
@Entity('index_holder')
export class IndexHolderRow {
  /** '' is the row that is locked to compare the others. */
  @PrimaryColumn({ type: 'varchar' })
  process!: string;

  @Column({ type: 'varchar' })
  search_index!: string;

  /** Epoch milliseconds on the clock of the database. */
  @Column({ type: 'bigint' })
  lease_until!: number;
}
