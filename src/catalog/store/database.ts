/** What a statement may bind. Dates travel as epoch milliseconds, JSON as text. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export interface SqlReader {
  readonly dialect: Dialect;
  /** All rows of a SELECT. `?` marks a parameter on every database. */
  all<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  /**
   * Carries SELECTs out one after the other, without waiting in between, and hands their rows over as they come, as bytes; there
   * where that takes less than {@link all}.
   */
  eachRow?(statements: readonly RowStatement[]): Promise<void>;
}

/** A SELECT whose rows are handed over one by one. */
export interface RowStatement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  each(row: RowBytes): void;
}

/** A row whose columns are read one after the other, as the bytes of texts: NULL has none. Valid while it is handed over. */
export interface RowBytes {
  /** Goes to the next column: it is `bytes` from `start` to `end`. */
  next(): void;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** What to do with a row whose key is taken. */
export type OnConflict<C extends string = string> =
  { key: readonly C[]; then: 'ignore' } | { key: readonly C[]; then: 'update'; set: readonly C[] };

/**
 * The handle of one open transaction, and the only thing in the service that can write.
 * It is valid until the callback of {@link Database.transaction} settles.
 */
export interface Transaction extends SqlReader {
  /** One INSERT, UPDATE or DELETE; answers the number of rows changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /**
   * Inserts many rows of one shape, in the way the database likes best. A fault of the rows may be thrown by a later
   * statement, or by the commit.
   * @typeParam R the row class of the table: the compiler checks the columns against it
   * @returns the number of the last row, if the database tells it without being asked
   */
  insert<R extends object = Record<string, unknown>>(
    table: string,
    columns: ReadonlyArray<NoInfer<keyof R & string>>,
    rows: ReadonlyArray<readonly SqlValue[]>,
    onConflict?: OnConflict<NoInfer<keyof R & string>>,
  ): Promise<number | undefined>;
  /**
   * Reserves numbers for `count` rows that this transaction will insert into a table that the database numbers.
   * @returns the first of them; undefined where the database only gives them with the rows
   */
  reserve(table: string, count: number): Promise<number | undefined>;
  /**
   * Sets columns of rows that are there and that this transaction has locked. Each row is given whole, its key first,
   * as a server takes many in one statement only that way.
   */
  rewrite(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    set: readonly string[],
  ): Promise<void>;
  /** One UPDATE or DELETE for each row of parameters, in order, in as few ways to the database as it takes. */
  runEach(sql: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void>;
  /**
   * Deletes, for each row of parameters, what the condition holds for: also where that is hundreds of thousands of rows.
   * @param table one that is not WITHOUT ROWID
   */
  deleteEach(table: string, where: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void>;
}

/** The few places where SQL differs from database to database. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql';
  /** `column IN (values)` as text and parameters; an empty list matches nothing. */
  in(column: string, values: readonly SqlValue[]): { sql: string; params: SqlValue[] };
  /** `(columns) IN (rows)` as text and parameters; no row matches nothing. */
  inRows(
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
  ): { sql: string; params: SqlValue[] };
  /** Appended to a SELECT that must lock the rows it returns until commit ('' where the writer is alone anyway). */
  readonly forUpdate: string;
  /** Appended to a SELECT whose rows must stay as they are until commit; others may read and hold them as well. */
  readonly forShare: string;
  /** What the clock of the database says, in epoch milliseconds: the same for all processes, whatever their machines say. */
  readonly now: string;
  /** A LIKE that compares bytes and knows `\` as escape: `sql` holds one `?`. */
  like(column: string): string;
  /** Where the database makes long texts out of columns with less CPU than it hands the rows over. */
  readonly texts?: TextExpressions;
}

/** What texts are made of. @typeParam T a text that is not made yet */
export interface TextForms<T> {
  literal(text: string): T;
  /** A text as a JSON string. */
  quoted(text: T): T;
  /** A text of these; those that are NULL are empty. */
  joined(parts: readonly T[]): T;
  /** A text where a condition holds, an empty one elsewhere. */
  when(condition: T, text: T): T;
}

/** Expressions of texts. */
export interface TextExpressions extends TextForms<string> {
  /** The texts of all rows, one after the other: an aggregate. */
  all(column: string, separator: string): string;
  /** The bytes of the texts of all rows, one after the other: an aggregate. */
  bytes(column: string): string;
}

export interface TransactionOptions {
  /**
   * `power` (the default): what was committed survives the loss of power. `process`: it survives the death of the
   * process, which is cheaper; for what can be derived again from durable rows. Commits never survive out of order.
   */
  survives?: 'power' | 'process';
}

/**
 * The relational store: one serialized or pooled writer, and readers that see committed state only.
 * Both throw CatalogError SERVICE_UNAVAILABLE when it is the store that cannot serve: unavailable, busy, damaged, its disk full.
 */
export abstract class Database implements SqlReader {
  abstract readonly dialect: Dialect;
  abstract all<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  /** See {@link SqlReader.eachRow}. */
  eachRow?(statements: readonly RowStatement[]): Promise<void>;
  /**
   * {@link all} for what no request waits for, and for what looks at a large part of the catalog: where the database is in this
   * process, a thread does it.
   */
  allAside<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    return this.all<R>(sql, params);
  }
  /** Runs the reads of a health check. They have a place of their own, also while others wait for one. */
  forHealth<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
  /**
   * A number that is the same as before only if nothing was committed meanwhile: what was true at that time still is.
   * Cheaper than to ask about each row. Commits of other processes may be noticed one round of the event loop late.
   * Undefined where only the server could tell.
   */
  version(): number | undefined {
    return undefined;
  }
  /**
   * Runs `work` in one transaction and commits it; an exception rolls back and is thrown on.
   * Passing conflicts between writers (deadlock, busy) are retried, so `work` must have no side effects
   * outside the transaction. Transactions do not nest.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` on what is committed at one moment: whatever it reads, and however long it takes, nothing of later commits is
   * in it. Writers go on meanwhile. The reader is valid until `work` settles, and reads one statement at a time.
   */
  abstract snapshot<T>(work: (reader: SqlReader) => Promise<T>): Promise<T>;
  /**
   * Resolves when the writers of all that readers see now have their answers; undefined when they have them already, and
   * where readers see nothing before.
   */
  answering(): Promise<void> | undefined {
    return undefined;
  }
  /**
   * Resolves when all that readers see now survives the loss of power; undefined where a commit is not seen before.
   * @throws CatalogError SERVICE_UNAVAILABLE when that is not known
   */
  durable(): Promise<void> | undefined {
    return undefined;
  }
  /**
   * Why writes fail at the moment though reads may work: a full disk, a damaged file. Undefined while none has failed, and
   * as soon as a small write works again.
   */
  abstract trouble(): Promise<string | undefined>;
  abstract close(): Promise<void>;
}
