import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { isAhead, type RequestOrigin } from '../../catalog/schedule/index.js';
import { Database, type Transaction } from '../../catalog/store/index.js';
import type { ReceiptState, WriteReceiptRow } from './entities/write-receipt.row.js';
import { nextTurn } from './receipt-turn.js';
import type { ReceiptOutcome } from './stored-proposals.js';

export type PendingReceipt = Pick<
  WriteReceiptRow,
  'id' | 'trace' | 'actor' | 'role' | 'proposals' | 'outcome' | 'attempts' | 'origin'
>;
/** Where an accepted write came from, and the groups that the token of the caller named. */
export type SentBy = Partial<RequestOrigin> & Pick<Principal, 'groups'>;

export type Receipt = Pick<
  WriteReceiptRow,
  'trace' | 'actor' | 'state' | 'outcome' | 'submitted_at' | 'settled_at'
>;

export type FailedReceipt = Pick<
  WriteReceiptRow,
  'trace' | 'actor' | 'outcome' | 'submitted_at' | 'settled_at'
>;

const COLUMNS: ReadonlyArray<keyof WriteReceiptRow> = [
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
  'origin',
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
    origin: RequestOrigin | undefined,
    before: ((tx: Transaction) => Promise<void>) | undefined,
  ): Promise<void> {
    const { actor, role, groups } = principal;
    const sent: SentBy = { ...origin, ...(groups && { groups }) };
    const from = origin === undefined && groups === undefined ? null : JSON.stringify(sent);
    await this.database.transaction(async (tx) => {
      await before?.(tx);
      await tx.insert<WriteReceiptRow>('write_receipt', COLUMNS, [
        [trace, actor, role, 'PENDING', proposals, JSON.stringify(outcome), Date.now(), 0, '', 0, 0, from],
      ]);
    });
  }

  /**
   * The next writes to carry out, in their order, for this worker alone; undefined while another one is at work. The
   * try is counted before it begins: {@link giveBack} takes that back.
   * @param lastFirst see {@link nextTurn}
   */
  async take(
    worker: string,
    limit: number,
    leaseMs: number,
    lastFirst = false,
  ): Promise<PendingReceipt[] | undefined> {
    const sql = `SELECT id, trace, actor, role, proposals, outcome, attempts, origin, worker, lease_until FROM write_receipt
       WHERE state = 'PENDING' ORDER BY id LIMIT ?`;
    // A look through the reader first: an idle process shall not trouble the writer.
    if (!this.shared && (await this.database.all(sql, [1])).length === 0) return [];
    return this.database.transaction(
      async (tx) => {
        const rows = await tx.all<PendingReceipt & Pick<WriteReceiptRow, 'worker' | 'lease_until'>>(
          `${sql} ${this.shared ? tx.dialect.forUpdate : ''}`,
          [limit],
        );
        const now = Date.now();
        const held = rows.some(
          (row) => row.worker !== worker && isAhead(Number(row.lease_until), leaseMs, now),
        );
        if (this.shared && held) return undefined;
        const turn = nextTurn(
          rows.map((row) => ({ ...row, id: Number(row.id), attempts: Number(row.attempts) })),
          lastFirst,
        );
        if (turn.length === 0) return [];
        const named = idsIn(tx, turn);
        await tx.run(
          `UPDATE write_receipt SET attempts = attempts + 1, worker = ?, lease_until = ? WHERE ${named.sql}`,
          [worker, now + leaseMs, ...named.params],
        );
        return turn;
      },
      { survives: 'process' },
    );
  }

  /** Holds writes for longer, those that are still this worker's. */
  async renew(worker: string, held: readonly PendingReceipt[], leaseMs: number): Promise<void> {
    await this.database.transaction(
      (tx) => {
        const named = idsIn(tx, held);
        return tx.run(
          `UPDATE write_receipt SET lease_until = ? WHERE worker = ? AND state = 'PENDING' AND ${named.sql}`,
          [Date.now() + leaseMs, worker, ...named.params],
        );
      },
      { survives: 'process' },
    );
  }

  /** These tries say nothing against the writes: they do not count. */
  async giveBack(worker: string, held: readonly PendingReceipt[]): Promise<void> {
    await this.database.transaction(
      (tx) => {
        const named = idsIn(tx, held);
        return tx.run(
          `UPDATE write_receipt SET attempts = attempts - 1
           WHERE worker = ? AND state = 'PENDING' AND attempts > 0 AND ${named.sql}`,
          [worker, ...named.params],
        );
      },
      { survives: 'process' },
    );
  }

  /** Whether one of these writes is still to be carried out, as the transaction sees it. */
  async anyPending(tx: Transaction, receipts: readonly PendingReceipt[]): Promise<boolean> {
    if (receipts.length === 0) return false;
    const named = idsIn(tx, receipts);
    const rows = await tx.all(
      `SELECT id FROM write_receipt WHERE state = 'PENDING' AND ${named.sql} LIMIT 1`,
      named.params,
    );
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

  /** Suspends a write, with what it takes to carry it out later. */
  async suspend(worker: string, id: number, outcome: ReceiptOutcome): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run(
        `UPDATE write_receipt SET state = 'FAILED', outcome = ?, settled_at = ?
         WHERE id = ? AND state = 'PENDING' AND worker = ?`,
        [JSON.stringify(outcome), Date.now(), id, worker],
      ),
    );
  }

  /** Suspended writes, the oldest first. */
  failed(limit: number): Promise<FailedReceipt[]> {
    return this.database.all<FailedReceipt>(
      `SELECT trace, actor, outcome, submitted_at, settled_at FROM write_receipt
       WHERE state = 'FAILED' ORDER BY id LIMIT ?`,
      [limit],
    );
  }

  /** Resumes suspended writes, one or all; returns how many. */
  retry(trace: string | undefined): Promise<number> {
    const [one, params] = trace === undefined ? ['', []] : [' AND trace = ?', [trace]];
    return this.database.transaction((tx) =>
      tx.run(
        `UPDATE write_receipt SET state = 'PENDING', attempts = 0, settled_at = 0, worker = '', lease_until = 0
         WHERE state = 'FAILED'${one}`,
        params,
      ),
    );
  }

  /** How many writes wait, and how many are suspended. */
  async counts(): Promise<{ pending: number; failed: number }> {
    const rows = await this.database.all<{ state: ReceiptState; n: number }>(
      "SELECT state, COUNT(*) AS n FROM write_receipt WHERE state IN ('PENDING', 'FAILED') GROUP BY state",
    );
    const of = (state: ReceiptState): number => Number(rows.find((row) => row.state === state)?.n ?? 0);
    return { pending: of('PENDING'), failed: of('FAILED') };
  }

  reject(worker: string, id: number, outcome: ReceiptOutcome): Promise<boolean> {
    return this.database.transaction((tx) => this.settle(tx, worker, id, 'REJECTED', outcome));
  }

  async find(trace: string): Promise<Receipt | undefined> {
    const [row] = await this.database.all<Receipt>(
      'SELECT trace, actor, state, outcome, submitted_at, settled_at FROM write_receipt WHERE trace = ?',
      [trace],
    );
    return row;
  }

  /** Deletes what was settled before `until`; suspended writes stay. */
  async sweep(until: number): Promise<void> {
    await this.database.transaction(
      (tx) =>
        tx.run("DELETE FROM write_receipt WHERE settled_at > 0 AND settled_at < ? AND state <> 'FAILED'", [
          until,
        ]),
      { survives: 'process' },
    );
  }
}

function idsIn(tx: Transaction, receipts: readonly PendingReceipt[]) {
  return tx.dialect.in(
    'id',
    receipts.map(({ id }) => id),
  );
}
