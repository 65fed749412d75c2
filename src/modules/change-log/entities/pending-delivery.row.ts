import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Changes that a consumer has not consumed yet, as one job. */
@Entity('consumer_backlog')
export class PendingDeliveryRow {
  @PrimaryColumn({ type: 'varchar' })
  consumer!: string;

  /** Id of the job in the queue of the consumer. */
  @PrimaryColumn({ type: 'varchar' })
  job!: string;

  @Column({ type: 'bigint' })
  first_change!: number;

  /** JSON text: ranges of change numbers. */
  @Column({ type: 'text' })
  changes!: string;

  @Column({ type: 'bigint' })
  change_count!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  created_at!: number;

  /** When the queue was last notified; 0 = not known to have been notified. */
  @Column({ type: 'bigint' })
  rung_at!: number;

  /** How often the consumer failed on this job alone. */
  @Column({ type: 'bigint' })
  failures!: number;

  /** 1 = suspended: not redelivered before an administrator resumes it. */
  @Column({ type: 'tinyint' })
  put_aside!: number;
}
