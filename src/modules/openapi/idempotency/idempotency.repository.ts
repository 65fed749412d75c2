import { Injectable } from '@nestjs/common';
import { Database, type SqlReader, type Transaction } from '../../../catalog/store/index.js';
import type { IdempotencyKeyRow } from '../entities/idempotency-key.row.js';

export type StoredAnswer = Pick<IdempotencyKeyRow, 'fingerprint' | 'answer'>;

/** The table of first answers. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async find(scope: string, now: number): Promise<StoredAnswer | undefined> {
    const stored = await this.read(this.database, scope, now);
    // What can be read may not be on disk yet; an answer that is repeated promises as much as the first.
    if (stored) await this.database.transaction(async () => undefined);
    return stored;
  }

  /**
   * Stores the answer unless there is one already, which is answered then, and nothing is written. Of two
   * transactions that do this at the same time one waits for the other.
   */
  async claim(
    tx: Transaction,
    scope: string,
    fresh: StoredAnswer,
    now: number,
    expiresAt: number,
  ): Promise<StoredAnswer | undefined> {
    await tx.run('DELETE FROM idempotency_key WHERE scope = ? AND expires_at <= ?', [scope, now]);
    await tx.insert<IdempotencyKeyRow>(
      'idempotency_key',
      ['scope', 'fingerprint', 'answer', 'expires_at'],
      [[scope, fresh.fingerprint, fresh.answer, expiresAt]],
      { key: ['scope'], then: 'ignore' },
    );
    const stored = await this.read(tx, scope, now);
    return stored?.answer === fresh.answer ? undefined : stored;
  }

  /** In a transaction of its own. */
  claimAlone(
    scope: string,
    fresh: StoredAnswer,
    now: number,
    expiresAt: number,
  ): Promise<StoredAnswer | undefined> {
    return this.database.transaction((tx) => this.claim(tx, scope, fresh, now, expiresAt));
  }

  async sweep(now: number): Promise<void> {
    await this.database.transaction(
      (tx) => tx.run('DELETE FROM idempotency_key WHERE expires_at <= ?', [now]),
      { survives: 'process' },
    );
  }

  private async read(reader: SqlReader, scope: string, now: number): Promise<StoredAnswer | undefined> {
    const [row] = await reader.all<StoredAnswer>(
      'SELECT fingerprint, answer FROM idempotency_key WHERE scope = ? AND expires_at > ?',
      [scope, now],
    );
    return row;
  }
}
