import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last commit of a connection slot: tells whether a commit without an answer took place. On servers only. */
@Entity('commit_mark')
export class CommitMarkRow {
  @PrimaryColumn({ type: 'varchar' })
  slot!: string;

  @Column({ type: 'bigint' })
  last!: number;

  /** Epoch milliseconds. */
  @Column({ type: 'bigint' })
  time!: number;
}
