import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { CatalogError } from '../../../catalog/errors/index.js';
import {
  Database,
  type Checkpoints,
  type FollowedFile,
  type LogState,
  type OnConflict,
  type SqlReader,
  type SqlValue,
  type Transaction,
  type TransactionOptions,
} from '../../../catalog/store/index.js';
import { currentRequest, TimeSlices } from '../../../catalog/schedule/index.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { RowClass } from '../row-class.js';
import { WriteTrouble } from '../write-trouble.js';
import { NodeSqliteDriver } from './node-sqlite-driver.js';
import { ReadingThread } from './reading-thread.js';
import { SQLITE_DIALECT } from './sqlite-dialect.js';
import { asCatalogError, isBusy, isDamaged, troubleOf } from './sqlite-errors.js';
import { StatementCache } from './statement-cache.js';
import { WalFlush } from './wal-flush.js';

/** How long a writer waits for another process (a command line beside the service) before it gives up. */
const BUSY_LIMIT_MS = 15_000;

/**
 * Durability and memory of one connection. NORMAL: a commit does not wait for the disk, {@link WalFlush} does, aside.
 * LIKE is byte for byte, as on the other databases.
 */
const PRAGMAS = [
  // First: another process may be reading the log of one that was killed.
  'busy_timeout = 2000',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'busy_timeout = 20',
  'cache_size = -8000',
  'journal_size_limit = 67108864',
  'case_sensitive_like = ON',
  'foreign_keys = OFF',
];

const READER_PRAGMAS =
  'PRAGMA cache_size = -8000; PRAGMA busy_timeout = 2000; PRAGMA case_sensitive_like = ON;';

/**
 * The embedded database. SQLite has one connection under TypeORM, and a statement of another request would join
 * (and be rolled back with) whatever transaction is open on it. So there is one writer, reached only through
 * {@link transaction}, one at a time, and a second connection for readers, which see committed state only.
 *
 * A transaction resolves when it is on disk. The next one begins as soon as it is committed: what it builds on is before
 * it in the log, so it is never on disk without that.
 */
export class SqliteDatabase extends Database {
  readonly dialect = SQLITE_DIALECT;
  private readonly writes: StatementCache;
  private readonly reads: StatementCache;
  private readonly aside: ReadingThread;
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** {@link version}, kept for one round of the event loop: requests that came together share one look. */
  private seenVersion: number | undefined;
  private readonly lookAgain = (): void => {
    this.seenVersion = undefined;
  };

  private constructor(
    private readonly source: WriterSource,
    private readonly writer: DatabaseSync,
    private readonly reader: DatabaseSync,
    private readonly followed: FollowedFile | undefined,
    private readonly writeTrouble: WriteTrouble,
    private readonly log: WalFlush,
    private readonly file: string,
  ) {
    super();
    this.writes = new StatementCache(writer);
    this.reads = new StatementCache(reader);
    this.aside = new ReadingThread(file, READER_PRAGMAS);
  }

  /**
   * Opens (and makes or migrates) the database in `file`.
   * @param rows TypeORM classes of the tables.
   * @param checkpoints who may make the checkpoints elsewhere; by default they are made after the commits.
   */
  static async open(
    file: string,
    rows: readonly RowClass[] = [],
    checkpoints?: Checkpoints,
  ): Promise<SqliteDatabase> {
    const source = (rows.length === 0 && openCurrent(file)) || (await openByTypeOrm(file, rows));
    const { writer } = source;
    try {
      const reader = new DatabaseSync(file, { readOnly: true });
      reader.exec(READER_PRAGMAS);
      const writeTrouble = new WriteTrouble();
      const followed = checkpoints?.follow({
        file,
        checkpoint: () => {
          try {
            writer.exec('PRAGMA wal_checkpoint(PASSIVE)');
          } catch {
            // What was committed is in the log, and the next commit tries again: as SQLite does by itself.
          }
        },
        failed: (error) => {
          const reason = troubleOf(error);
          if (reason !== undefined) writeTrouble.note(reason, isDamaged(error));
        },
      });
      // Who follows the file says when.
      if (followed) writer.exec('PRAGMA wal_autocheckpoint = 0');
      return new SqliteDatabase(source, writer, reader, followed, writeTrouble, new WalFlush(file), file);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** TypeORM's view of the writer, of a database that was opened with rows. */
  get dataSource(): DataSource {
    const { typeOrm } = this.source;
    if (typeOrm === undefined) throw new Error('the database was opened without rows');
    return typeOrm;
  }

  async all<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    // A statement holds the event loop until it is done: a request is ended between two.
    currentRequest()?.throwIfEnded();
    return this.read((reads) => reads.get(sql).all<R>(params));
  }

  override allAside<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    return this.aside.all<R>(sql, params);
  }

  override version(): number {
    if (this.seenVersion === undefined) {
      this.seenVersion = this.read(
        (reads) => reads.get('PRAGMA data_version').all<{ data_version: number }>([])[0]!.data_version,
      );
      setImmediate(this.lookAgain);
    }
    return this.seenVersion;
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { survives = 'power' }: TransactionOptions = {},
  ): Promise<T> {
    const turn = this.queue.then(() => this.run(work, survives));
    this.queue = turn.catch(() => undefined);
    try {
      const { result, safe } = await turn;
      await safe;
      return result;
    } catch (error) {
      throw this.translated(error, true);
    }
  }

  /** On a connection of its own. The log grows while it is open: nothing behind it can be carried over into the file. */
  async snapshot<T>(work: (reader: SqlReader) => Promise<T>): Promise<T> {
    // What is taken out of the catalog must not be ahead of what a power loss leaves in it.
    await this.durable();
    const connection = new DatabaseSync(this.file, { readOnly: true });
    try {
      connection.exec(READER_PRAGMAS);
      // The first statement that reads fixes the moment.
      connection.exec('BEGIN; SELECT COUNT(*) FROM sqlite_schema');
      const statements = new StatementCache(connection);
      return await work({
        dialect: this.dialect,
        all: async <R extends object>(sql: string, params: readonly SqlValue[] = []) =>
          statements.get(sql).all<R>(params),
      });
    } catch (error) {
      throw this.translated(error, isDamaged(error));
    } finally {
      connection.close();
    }
  }

  override answering(): Promise<void> | undefined {
    const flushes = this.log.pending();
    if (flushes === undefined) return undefined;
    // Callers that waited for the flush go first; a flush that failed is an answer as well.
    const told = (): Promise<void> => nextRound();
    return flushes.then(told, told);
  }

  override async durable(): Promise<void> {
    await this.log.durable().catch((error: unknown) => {
      throw this.translated(error, true);
    });
  }

  trouble(): Promise<string | undefined> {
    return this.writeTrouble.look((work) => this.transaction(work));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.queue;
    await this.log.close();
    this.followed?.release();
    await this.aside.close();
    this.reader.close();
    await this.source.close();
  }

  /** Carries out one transaction. Answers when it is committed, with what resolves when it is safe. */
  private async run<T>(
    work: (tx: Transaction) => Promise<T>,
    survives: NonNullable<TransactionOptions['survives']>,
  ): Promise<{ result: T; safe: Promise<void> | undefined }> {
    const { lasting } = this.writeTrouble;
    if (lasting !== undefined) {
      throw new CatalogError('SERVICE_UNAVAILABLE', `${lasting}; an administrator has to restore it`);
    }
    this.log.recover(() => this.checkpoint());
    await this.followed?.shortEnough();
    await this.begin();
    const tx = new SqliteTransaction(this.writes);
    try {
      const result = await work(tx);
      this.writer.exec('COMMIT');
      this.lookAgain();
      if (tx.wrote) {
        this.log.committed();
        this.followed?.written(this.stateOfLog());
      }
      // What only has to survive the process waits for what came before it: no caller acts on what may still be lost.
      return { result, safe: survives === 'power' ? this.log.durable() : this.log.pending() };
    } catch (error) {
      try {
        if (this.writer.isTransaction) this.writer.exec('ROLLBACK');
      } catch {
        // The first error says what is wrong. If the transaction is still open, the next BEGIN fails.
      }
      throw error;
    } finally {
      tx.end();
    }
  }

  private stateOfLog(): LogState {
    return this.writes.get('PRAGMA wal_checkpoint(NOOP)').all<LogState & object>([])[0]!;
  }

  /** Carries the whole log over into the database file, or throws. */
  private checkpoint(): void {
    const row = this.writer.prepare('PRAGMA wal_checkpoint(FULL)').get() as Record<string, number>;
    if (row['busy'] === 0 && row['log'] === row['checkpointed']) return;
    throw Object.assign(new Error('the log could not be carried over'), { errcode: 10 });
  }

  private read<T>(ask: (reads: StatementCache) => T): T {
    try {
      return ask(this.reads);
    } catch (error) {
      // A reader that finds damage keeps writers from making it worse; nothing else that it finds keeps them from writing.
      throw this.translated(error, isDamaged(error));
    }
  }

  private translated(error: unknown, remember: boolean): unknown {
    const reason = troubleOf(error);
    if (reason !== undefined && remember) this.writeTrouble.note(reason, isDamaged(error));
    return asCatalogError(error);
  }

  /** Waits for other processes without blocking this one: SQLite's own busy handler would hold the event loop. */
  private async begin(): Promise<void> {
    const deadline = performance.now() + BUSY_LIMIT_MS;
    for (;;) {
      try {
        this.writer.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await pause(5 + Math.random() * 20);
      }
    }
  }
}

/** The connection of the writer, and who opened it. */
interface WriterSource {
  readonly writer: DatabaseSync;
  readonly typeOrm?: DataSource;
  close(): Promise<void>;
}

/** Makes the database, or brings its tables up to date. */
async function openByTypeOrm(file: string, rows: readonly RowClass[]): Promise<WriterSource> {
  const { DataSource } = await import('typeorm');
  const typeOrm = new DataSource({
    type: 'better-sqlite3',
    driver: NodeSqliteDriver,
    database: file,
    entities: [...rows],
    migrations: MIGRATIONS,
    // Tables can be made inside a transaction here: all or none, and one wait for the disk.
    migrationsTransactionMode: 'all',
    prepareDatabase: prepare,
  });
  await typeOrm.initialize();
  const close = (): Promise<void> => typeOrm.destroy();
  try {
    await typeOrm.runMigrations();
  } catch (error) {
    await close();
    throw error;
  }
  const { databaseConnection } = typeOrm.driver as unknown as { databaseConnection: NodeSqliteDriver };
  return { writer: databaseConnection.native, typeOrm, close };
}

/** The database where its tables are those of this version: a command starts in half the time without TypeORM. */
function openCurrent(file: string): WriterSource | undefined {
  if (!existsSync(file)) return undefined;
  const connection = new NodeSqliteDriver(file);
  try {
    prepare(connection);
    if (isCurrent(connection.native))
      return { writer: connection.native, close: async () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.close();
  return undefined;
}

function prepare(connection: NodeSqliteDriver): void {
  for (const pragma of PRAGMAS) connection.pragma(pragma);
}

function isCurrent(database: DatabaseSync): boolean {
  const isThere = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`).get();
  if (isThere === undefined) return false;
  const made = database.prepare('SELECT name FROM migrations ORDER BY id').all();
  return (
    made.length === MIGRATIONS.length &&
    MIGRATIONS.every((migration, i) => new migration().name === made[i]?.['name'])
  );
}

/** Rows of a first statement that deletes many: rows may be large. */
const FIRST_DELETED = 16;
/** A statement that took longer is followed by one for half as many rows, a faster one by one for twice as many. */
const DELETE_MS = 3;

/** One open transaction on the writer's connection. A long one lets others be served between its statements and rows. */
class SqliteTransaction implements Transaction, SqlReader {
  readonly dialect = SQLITE_DIALECT;
  private open = true;
  /** Something was written, as far as this handle can tell. */
  wrote = false;
  private readonly slices = new TimeSlices();
  /** The last number given out, by table. */
  private readonly reserved = new Map<string, number>();

  constructor(private readonly statements: StatementCache) {}

  async all<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    const rows = this.prepared(sql).all<R>(params);
    const over = this.slices.over();
    if (over) await over;
    return rows;
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    this.wrote = true;
    return Number(this.prepared(sql).run(params).changes);
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    onConflict?: OnConflict,
  ): Promise<number | undefined> {
    if (rows.length === 0) return undefined;
    // In one process a kept statement, run row by row, is faster than any multi-row text.
    const statement = this.prepared(insertSql(table, columns, onConflict));
    this.wrote = true;
    let last: number | bigint | undefined;
    for (const row of rows) {
      last = statement.run(row).lastInsertRowid;
      const over = this.slices.over();
      if (over) await over;
    }
    return last === undefined ? undefined : Number(last);
  }

  /** This is the only transaction that writes: what comes next is its own until it is over. */
  async reserve(table: string, count: number): Promise<number> {
    let last = this.reserved.get(table);
    if (last === undefined) {
      const sql = 'SELECT seq FROM sqlite_sequence WHERE name = ?';
      const [row] = this.prepared(sql).all<{ seq: number }>([table]);
      last = Number(row?.seq ?? 0);
    }
    this.reserved.set(table, last + count);
    return last + 1;
  }

  async rewrite(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    set: readonly string[],
  ): Promise<void> {
    const places = [...set.map((column) => columns.indexOf(column)), 0];
    const sql = `UPDATE ${table} SET ${set.map((column) => `${column} = ?`).join(', ')} WHERE ${columns[0]} = ?`;
    await this.runEach(
      sql,
      rows.map((row) => places.map((place) => row[place] as SqlValue)),
    );
  }

  async runEach(sql: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void> {
    if (rows.length === 0) return;
    const statement = this.prepared(sql);
    this.wrote = true;
    for (const row of rows) {
      statement.run(row);
      const over = this.slices.over();
      if (over) await over;
    }
  }

  /** A statement holds the event loop until it is done, so each deletes some rows: as many as take about as long as a slice. */
  async deleteEach(table: string, where: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void> {
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} LIMIT ?)`;
    let most = FIRST_DELETED;
    for (const row of rows) {
      for (;;) {
        const began = performance.now();
        const count = await this.run(sql, [...row, most]);
        const ms = performance.now() - began;
        const over = this.slices.over();
        if (over) await over;
        if (count < most) break;
        most = ms > DELETE_MS ? Math.max(1, most >> 1) : most * 2;
      }
    }
  }

  /** After commit or rollback the handle is dead: a late write would otherwise join someone else's transaction. */
  end(): void {
    this.open = false;
  }

  private prepared(sql: string) {
    if (!this.open) throw new Error('the transaction has ended');
    return this.statements.get(sql);
  }
}

function insertSql(table: string, columns: readonly string[], onConflict?: OnConflict): string {
  const values = columns.map(() => '?').join(', ');
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`;
  if (onConflict === undefined) return insert;
  const key = onConflict.key.join(', ');
  if (onConflict.then === 'ignore') return `${insert} ON CONFLICT (${key}) DO NOTHING`;
  const set = onConflict.set.map((column) => `${column} = excluded.${column}`).join(', ');
  return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${set}`;
}
