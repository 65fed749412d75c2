import type { BeforeApplicationShutdown } from '@nestjs/common';
import { AuditLog, type AuditEnd, type AuditRecord } from '../../catalog/audit/index.js';
import type { Database, Transaction, TransactionOptions } from '../../catalog/store/index.js';
import { AuditChain, type ChainEnd } from './audit-chain.js';

/** How often it is noted how far the chains have come. */
const ANCHOR_MS = 5_000;
/** The most records that share a transaction of their own. */
const MOST_TOGETHER = 500;

interface Waiting {
  readonly record: AuditRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes the audit log as chains of records, each of which holds the hash of the one before it. */
export class ChainedAuditLog extends AuditLog implements BeforeApplicationShutdown {
  override readonly records = true;
  /** Chains that no transaction goes on with at the moment. */
  private readonly free: AuditChain[] = [];
  private waiting: Waiting[] = [];
  private writing = false;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: () => number = Date.now,
  ) {
    super();
  }

  override async transaction<T>(
    work: (tx: Transaction, record: (record: AuditRecord) => void) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    const chain = this.free.pop() ?? new AuditChain();
    let end: ChainEnd | undefined;
    try {
      const result = await this.database.transaction(async (tx) => {
        end = undefined;
        const records: AuditRecord[] = [];
        const done = await work(tx, (record) => void records.push(record));
        if (records.some(({ events }) => events.length > 0))
          end = await chain.append(tx, records, this.clock());
        return done;
      }, options);
      if (end !== undefined) {
        chain.commit(end);
        this.anchorLater();
      }
      this.free.push(chain);
      return result;
    } catch (error) {
      // Where it is not known whether records were committed, nothing goes on from them.
      if (end === undefined) this.free.push(chain);
      throw error;
    }
  }

  override record(record: AuditRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ record, resolve, reject });
      if (!this.writing) void this.write();
    });
  }

  override ends(): readonly AuditEnd[] {
    return this.free.flatMap(({ name, reached }) =>
      reached === undefined ? [] : { chain: name, ...reached },
    );
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  override async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.anchor();
  }

  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const together = this.waiting.splice(0, MOST_TOGETHER);
      try {
        await this.transaction((_tx, record) => {
          for (const each of together) record(each.record);
          return Promise.resolve();
        });
        for (const each of together) each.resolve();
      } catch (error) {
        for (const each of together) each.reject(error);
      }
    }
    this.writing = false;
  }

  private anchorLater(): void {
    if (this.closed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.anchor();
    }, ANCHOR_MS).unref();
  }

  /** Notes how far the chains have come: records that are missing at their ends are noticed by it. */
  private async anchor(): Promise<void> {
    const ends = this.free.flatMap((chain) => {
      const end = chain.unanchored;
      return end === undefined ? [] : [{ chain, end }];
    });
    if (ends.length === 0) return;
    try {
      await this.database.transaction(
        (tx) =>
          tx.runEach(
            'UPDATE audit_chain SET number = ?, hash = ? WHERE chain = ?',
            ends.map(({ chain, end }) => [end.number, end.hash, chain.name]),
          ),
        { survives: 'process' },
      );
      for (const { chain, end } of ends) chain.noteAnchor(end);
    } catch (error) {
      // Loaded when there is something to say: commands write to the log without the framework.
      const { Logger } = await import('@nestjs/common');
      new Logger(ChainedAuditLog.name).warn(`the ends of the audit log could not be noted: ${String(error)}`);
      this.anchorLater();
    }
  }
}
