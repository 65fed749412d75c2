import { randomUUID } from 'node:crypto';

/** The row that one transaction at a time writes its number into. */
export interface CommitSlot {
  readonly name: string;
  /** Number of the newest transaction that used the slot. */
  last: number;
}

/** Rows of processes that are no more. */
const KEEP_MS = 86_400_000;

/**
 * Tells whether a transaction whose COMMIT was never answered has happened. Each transaction first writes its number
 * into a row of its own, so a reader of that row waits until the transaction is over, and then reads the truth.
 */
export class CommitMarks {
  private readonly process = randomUUID();
  private readonly free: CommitSlot[] = [];
  private made = 0;

  take(): CommitSlot {
    return this.free.pop() ?? { name: `${this.process}:${++this.made}`, last: 0 };
  }

  /** To be called when the transaction is over and its outcome is known. */
  give(slot: CommitSlot): void {
    this.free.push(slot);
  }

  /** Begins a transaction: the mark goes in with the first packet and costs no way of its own. */
  static begin(slot: CommitSlot): { sql: string; params: Array<string | number> } {
    slot.last += 1;
    return {
      sql: `START TRANSACTION;
        INSERT INTO commit_mark (slot, last, time) VALUES (?, ?, ?)
        ON DUPLICATE KEY UPDATE last = VALUES(last), time = VALUES(time)`,
      params: [slot.name, slot.last, Date.now()],
    };
  }

  /** The number that stands in the slot. Waits while a transaction holds it. */
  static lookUp(slot: CommitSlot): { sql: string; params: string[] } {
    return { sql: 'SELECT last FROM commit_mark WHERE slot = ? FOR UPDATE', params: [slot.name] };
  }

  static forgetOld(): { sql: string; params: number[] } {
    return { sql: 'DELETE FROM commit_mark WHERE time < ?', params: [Date.now() - KEEP_MS] };
  }
}
