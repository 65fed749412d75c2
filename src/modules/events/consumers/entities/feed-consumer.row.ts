import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A registered reader of the change feed, and what it has confirmed. */
@Entity('feed_consumer')
export class FeedConsumerRow {
  @PrimaryColumn({ type: 'varchar' })
  name!: string;

  /** URN of the user whose tokens may read under this name. */
  @Column({ type: 'varchar' })
  actor!: string;

  /** Cursor behind what it has confirmed. */
  @Column({ type: 'varchar' })
  place!: string;

  /** Position of that cursor. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;

  /** When it last read, to the minute; 0 = never. */
  @Column({ type: 'bigint' })
  seen_at!: number;
}

export const FEED_CONSUMER_COLUMNS = [
  'name',
  'actor',
  'place',
  'position',
  'created_at',
  'created_by',
  'seen_at',
] as const satisfies ReadonlyArray<keyof FeedConsumerRow>;
