import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type SqlParam = string | number | Uint8Array | null;

let begun: () => void = () => undefined;

/** Has a function called with each statement of this thread. */
export function onStatement(call: () => void): void {
  begun = call;
}

/** One connection to the file of an index, with its statements kept ready. */
export class IndexConnection {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  /** @param readOnly whether it only reads what another connection has made */
  constructor(path: string, readOnly = false) {
    this.db = open(path, readOnly);
  }

  /** The statement of that text, prepared once; rows come as arrays. */
  statement(sql: string): StatementSync {
    begun();
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  row<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R | undefined {
    return this.statement(sql).get(...params) as unknown as R | undefined;
  }

  /** Rows, one at a time. Another use of the same statement meanwhile would end the walk. */
  rows<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): IterableIterator<R> {
    return this.statement(sql).iterate(...params) as unknown as IterableIterator<R>;
  }

  /** Like `rows`, on a statement of its own: for walks that may run inside each other. */
  walk<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): IterableIterator<R> {
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    return statement.iterate(...params) as unknown as IterableIterator<R>;
  }

  all<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R[] {
    return this.statement(sql).all(...params) as unknown as R[];
  }

  run(sql: string, ...params: SqlParam[]): number {
    return Number(this.statement(sql).run(...params).lastInsertRowid);
  }

  /** How many rows the statement wrote. */
  changed(sql: string, ...params: SqlParam[]): number {
    return Number(this.statement(sql).run(...params).changes);
  }

  exec(sql: string): void {
    begun();
    this.db.exec(sql);
  }

  /** To be called before tables are changed. */
  forgetStatements(): void {
    this.statements.clear();
  }

  /** Ends a transaction, as far as one is open. */
  end(how: 'COMMIT' | 'ROLLBACK'): void {
    try {
      if (this.db.isOpen && this.db.isTransaction) this.db.exec(how);
    } catch {
      // The first error says what is wrong.
    }
  }

  close(): void {
    this.statements.clear();
    if (this.db.isOpen) this.db.close();
  }
}

function open(path: string, readOnly: boolean): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 10_000, readOnly });
  try {
    // A lost tail of the log is repaired from the store, so no write waits for the disk.
    // Values come in any order, so a load changes most pages again and again: the log may hold 64 MiB before they are
    // copied to the file, which takes 7 % less CPU a document than at 16 MiB.
    if (!readOnly)
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000');
    // More pages in memory make a write no quicker: the system has them as well.
    db.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216;');
    db.exec('CREATE VIRTUAL TABLE temp.instance USING fts5vocab(main, words, instance)');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
