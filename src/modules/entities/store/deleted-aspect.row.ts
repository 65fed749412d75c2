import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The version with which an aspect was deleted: a value written later continues to count from it. */
@Entity('deleted_aspect')
export class DeletedAspectRow {
  @PrimaryColumn({ type: 'bigint' })
  entity_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  @Column({ type: 'bigint' })
  version!: number;
}
