import { Column, Entity } from 'typeorm';
import { StoredValueRow } from './stored-value.row.js';

/** The latest value of one versioned aspect. */
@Entity('aspect')
export class AspectRow extends StoredValueRow {
  @Column({ type: 'bigint' })
  version!: number;

  /** JSON text of an `Observation`; null where the value was not written again as it is. */
  @Column({ type: 'text', nullable: true })
  observation!: string | null;
}
