import type { Database, Transaction, TransactionOptions } from '../store/index.js';
import { AuditLog, type AuditEnd, type AuditRecord } from './audit-log.js';

/** Where CATALOG_AUDIT is off: transactions run, nothing is recorded. */
export class NoAuditLog extends AuditLog {
  override readonly records = false;

  constructor(private readonly database: Database) {
    super();
  }

  override transaction<T>(
    work: (tx: Transaction, record: (record: AuditRecord) => void) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.database.transaction((tx) => work(tx, () => undefined), options);
  }

  override record(): Promise<void> {
    return Promise.resolve();
  }

  override ends(): readonly AuditEnd[] {
    return [];
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
