import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The latest value of one versioned aspect. */
@Entity('aspect')
export class AspectRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'bigint' })
  version!: number;

  /** JSON text. */
  @Column({ type: 'text' })
  system_metadata!: string;

  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;
}
