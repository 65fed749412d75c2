import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** FAILED: suspended, with its proposals, until an administrator has it tried again. */
export type ReceiptState = 'PENDING' | 'COMMITTED' | 'REJECTED' | 'FAILED';

/** A write that was accepted to be carried out later, and what became of it. */
@Entity('write_receipt')
export class WriteReceiptRow {
  /** In the order of acceptance, which is the order of carrying out. */
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar', unique: true })
  trace!: string;

  @Column({ type: 'varchar' })
  actor!: string;

  @Column({ type: 'varchar' })
  role!: string;

  @Column({ type: 'varchar' })
  state!: ReceiptState;

  /** JSON text: the proposals; empty once they are committed or rejected. */
  @Column({ type: 'text' })
  proposals!: string;

  /** JSON text: which aspects, and what became of them. */
  @Column({ type: 'text' })
  outcome!: string;

  @Column({ type: 'bigint' })
  submitted_at!: number;

  /** 0 = not yet. */
  @Column({ type: 'bigint' })
  settled_at!: number;

  /** The process that carries it out, '' for none. */
  @Column({ type: 'varchar' })
  worker!: string;

  @Column({ type: 'bigint' })
  lease_until!: number;

  /** Tries that were begun and came to no end of their own: they failed for no reason of the write, or the process died. */
  @Column({ type: 'bigint' })
  attempts!: number;

  /** JSON text: where the request came from, and the groups that the token of the caller named; null of those accepted by an earlier version. */
  @Column({ type: 'text', nullable: true })
  origin!: string | null;
}
