import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Where the version before keeps the jobs of the table-backed queue and, with Redis, the tries of jobs. FormerJobs takes over
 * what is left in it; a later version drops the table.
 */
@Entity('job')
export class JobRow {
  @PrimaryColumn({ type: 'varchar' })
  queue!: string;

  @PrimaryColumn({ type: 'varchar' })
  id!: string;

  /** JSON text. */
  @Column({ type: 'text' })
  payload!: string;

  /** Attempts that have begun. */
  @Column({ type: 'bigint' })
  attempts!: number;

  /** Earliest start, epoch milliseconds. */
  @Column({ type: 'bigint' })
  run_at!: number;

  /** 0 = waits. */
  @Column({ type: 'bigint' })
  lease_until!: number;

  /** 1 = used up its attempts, or suspended. */
  @Column({ type: 'tinyint' })
  failed!: number;

  /** Why the last attempt failed; '' = it did not. */
  @Column({ type: 'text' })
  error!: string;

  /** Attempts that ended with their process. */
  @Column({ type: 'bigint' })
  unfinished!: number;
}
