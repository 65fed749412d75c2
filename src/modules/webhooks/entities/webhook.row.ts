import { Column, Entity, PrimaryColumn } from 'typeorm';

/** ACTIVE: events are delivered. PAUSED: they wait until an administrator resumes it. */
export type WebhookState = 'ACTIVE' | 'PAUSED';

/** An endpoint of another service that events of the change feed are delivered to. */
@Entity('webhook')
export class WebhookRow {
  @PrimaryColumn({ type: 'varchar' })
  name!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'varchar' })
  topic!: string;

  /** JSON text of an event filter. */
  @Column({ type: 'text' })
  filter!: string;

  @Column({ type: 'varchar' })
  secret!: string;

  /** The secret before the last rotation, which signs as well until a time; '' = none. */
  @Column({ type: 'varchar' })
  former_secret!: string;

  @Column({ type: 'bigint' })
  former_until!: number;

  @Column({ type: 'varchar' })
  state!: WebhookState;

  /** Cursor of the change feed behind what was delivered. */
  @Column({ type: 'varchar' })
  place!: string;

  /** Position of that cursor. */
  @Column({ type: 'bigint' })
  position!: number;

  /** Events of the batch that is being tried; 0 = none was tried. */
  @Column({ type: 'bigint' })
  batch!: number;

  /** How often it was tried. */
  @Column({ type: 'bigint' })
  attempts!: number;

  /** When the first of these attempts failed, epoch milliseconds; 0 = none has. */
  @Column({ type: 'bigint' })
  failing_since!: number;

  @Column({ type: 'bigint' })
  next_attempt!: number;

  @Column({ type: 'text' })
  last_error!: string;

  /** Events delivered in all. */
  @Column({ type: 'bigint' })
  delivered!: number;

  @Column({ type: 'bigint' })
  delivered_at!: number;

  /** The process that delivers; one at a time. */
  @Column({ type: 'varchar' })
  lease_owner!: string;

  @Column({ type: 'bigint' })
  lease_until!: number;

  @Column({ type: 'bigint' })
  created_at!: number;

  @Column({ type: 'varchar' })
  created_by!: string;
}

export const WEBHOOK_COLUMNS = [
  'name',
  'url',
  'topic',
  'filter',
  'secret',
  'former_secret',
  'former_until',
  'state',
  'place',
  'position',
  'batch',
  'attempts',
  'failing_since',
  'next_attempt',
  'last_error',
  'delivered',
  'delivered_at',
  'lease_owner',
  'lease_until',
  'created_at',
  'created_by',
] as const satisfies ReadonlyArray<keyof WebhookRow>;
