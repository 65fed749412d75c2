import { Entity, Index, PrimaryColumn } from 'typeorm';

/** One edge from an aspect of an entity to another entity. */
@Entity('relationship')
@Index('relationship_target', ['target_id', 'type', 'source_id'])
export class RelationshipRow {
  @PrimaryColumn({ type: 'bigint' })
  source_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  type!: string;

  @PrimaryColumn({ type: 'bigint' })
  target_id!: number;

  @PrimaryColumn({ type: 'varchar' })
  aspect!: string;

  /** The path that the model marks, with a star for each list on the way: not the position. */
  @PrimaryColumn({ type: 'varchar' })
  path!: string;
}
