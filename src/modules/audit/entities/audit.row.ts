import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What one caller did by one request; texts are '' where there is none. */
@Entity('audit')
export class AuditRow {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: number;

  @Column({ type: 'varchar' })
  chain!: string;

  /** In its chain, from 1, without gaps. */
  @Column({ type: 'bigint' })
  number!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  time!: number;

  @Column({ type: 'varchar' })
  actor!: string;

  @Column({ type: 'varchar' })
  address!: string;

  /** The User-Agent of the request. */
  @Column({ type: 'varchar' })
  agent!: string;

  /** RESTLI, OPENAPI or GRAPHQL. */
  @Column({ type: 'varchar' })
  source!: string;

  /** The id of the request. */
  @Column({ type: 'varchar' })
  request!: string;

  /** JSON text: a list of `[type, urn, aspect, details]`, or `[type, urn, details, aspect, aspect, ...]` of several. */
  @Column({ type: 'text' })
  events!: string;

  @Column({ type: 'bigint' })
  event_count!: number;

  /** Over the hash of the record before it and all columns but the id. */
  @Column({ type: 'varchar' })
  hash!: string;
}
