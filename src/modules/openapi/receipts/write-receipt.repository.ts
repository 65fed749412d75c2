import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { Database, type Transaction } from '../../../catalog/store/index.js';
import type { ReceiptState, WriteReceiptRow } from '../entities/write-receipt.row.js';
import type { ReceiptOutcome } from './stored-proposals.js';

export type PendingReceipt = Pick<
  WriteReceiptRow,
  'id' | 'actor' | 'role' | 'proposals' | 'outcome' | 'attempts'
>;
export type Receipt = Pick<WriteReceiptRow, 'trace' | 'state' | 'outcome' | 'submitted_at' | 'settled_at'>;

const COLUMNS = [
  'trace',
  'actor',
  'role',
  'state',
  'proposals',
  'outcome',
  'submitted_at',
  'settled_at',
  'worker',
  'lease_until',
  'attempts',
];

/** The table of writes to be carried out later, and of what became of them. */
@Injectable()
export class WriteReceiptRepository {
  constructor(private readonly database: Database) {}

  /** Several processes may carry out writes, unless the database has one writing process anyway. */
  get shared(): boolean {
    return this.database.dialect.name !== 'sqlite';
  }

  /** Accepts a write; `before` runs first in the same transaction. */
  async add(
    trace: string,
    principal: Principal,
    proposals: string,
    outcome: ReceiptOutcome,
    before: ((tx: Transaction) => Promise<void>) | undefined,
  ): Promise<void> {
    const { actor, role } = principal;
    await this.database.transaction(async (tx) => {
      await before?.(tx);
      await tx.insert('write_receipt', COLUMNS, [
        [trace, actor, role, 'PENDING', proposals, JSON.stringify(outcome), Date.now(), 0, '', 0, 0],
      ]);
    });
  }

  /**
   * The next writes to carry out, in their order, for this worker alone; undefined while another one is at work.
   */
  async take(worker: string, limit: number, leaseMs: number): Promise<PendingReceipt[] | undefined> {
    const sql = `SELECT id, actor, role, proposals, outcome, attempts, worker, lease_until FROM write_receipt
       WHERE state = 'PENDING' ORDER BY id LIMIT ?`;
    if (!this.shared) return this.database.all<PendingReceipt>(sql, [limit]);
    return this.database.transaction(async (tx) => {
      const rows = await tx.all<PendingReceipt & Pick<WriteReceiptRow, 'worker' | 'lease_until'>>(
        `${sql} ${tx.dialect.forUpdate}`,
        [limit],
      );
      const now = Date.now();
      if (rows.some((row) => row.worker !== worker && Number(row.lease_until) > now)) return undefined;
      if (rows.length === 0) return [];
      const named = tx.dialect.in(
        'id',
        rows.map((row) => Number(row.id)),
      );
      await tx.run(`UPDATE write_receipt SET worker = ?, lease_until = ? WHERE ${named.sql}`, [
        worker,
        now + leaseMs,
        ...named.params,
      ]);
      return rows.map((row) => ({ ...row, id: Number(row.id), attempts: Number(row.attempts) }));
    });
  }

  /** Whether a write before this one is still to be carried out, as the transaction sees it. */
  async hasEarlier(tx: Transaction, id: number): Promise<boolean> {
    const rows = await tx.all("SELECT id FROM write_receipt WHERE state = 'PENDING' AND id < ? LIMIT 1", [
      id,
    ]);
    return rows.length > 0;
  }

  /** Answers false, and changes nothing, when the write is not this worker's any more. */
  async settle(
    tx: Transaction,
    worker: string,
    id: number,
    state: ReceiptState,
    outcome: ReceiptOutcome,
  ): Promise<boolean> {
    const whose = this.shared ? ' AND worker = ?' : '';
    const changed = await tx.run(
      `UPDATE write_receipt SET state = ?, outcome = ?, proposals = '', settled_at = ?
       WHERE id = ? AND state = 'PENDING'${whose}`,
      [state, JSON.stringify(outcome), Date.now(), id, ...(this.shared ? [worker] : [])],
    );
    return changed > 0;
  }

  reject(worker: string, id: number, outcome: ReceiptOutcome): Promise<boolean> {
    return this.database.transaction((tx) => this.settle(tx, worker, id, 'REJECTED', outcome));
  }

  async failed(id: number): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run('UPDATE write_receipt SET attempts = attempts + 1 WHERE id = ?', [id]),
    );
  }

  async find(trace: string): Promise<Receipt | undefined> {
    const [row] = await this.database.all<Receipt>(
      'SELECT trace, state, outcome, submitted_at, settled_at FROM write_receipt WHERE trace = ?',
      [trace],
    );
    return row;
  }

  /** Forgets what was settled before `until`. */
  async sweep(until: number): Promise<void> {
    await this.database.transaction(
      (tx) => tx.run('DELETE FROM write_receipt WHERE settled_at > 0 AND settled_at < ?', [until]),
      { survives: 'process' },
    );
  }
}
