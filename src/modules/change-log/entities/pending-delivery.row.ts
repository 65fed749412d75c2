import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PendingWork } from '../../../catalog/pending-work/index.js';

/** What is pending, for whom, since when, and how often it was tried. The columns are explained at {@link PendingWork}. */
@Entity('consumer_backlog')
export class PendingDeliveryRow implements PendingWork {
  @PrimaryColumn({ type: 'varchar' })
  consumer!: string;

  @PrimaryColumn({ type: 'varchar' })
  job!: string;

  @Column({ type: 'bigint' })
  first_change!: number;

  @Column({ type: 'text' })
  changes!: string;

  @Column({ type: 'bigint' })
  change_count!: number;

  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'bigint' })
  rung_at!: number;

  @Column({ type: 'bigint' })
  failures!: number;

  @Column({ type: 'tinyint' })
  put_aside!: number;

  @Column({ type: 'bigint' })
  attempts!: number;

  @Column({ type: 'bigint' })
  unfinished!: number;

  @Column({ type: 'bigint' })
  available_at!: number;

  @Column({ type: 'bigint' })
  lease_until!: number;

  @Column({ type: 'tinyint' })
  failed!: number;

  @Column({ type: 'text', nullable: true })
  last_error!: string | null;
}
