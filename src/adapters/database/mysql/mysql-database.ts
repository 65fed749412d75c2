import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool, format, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DataSource } from 'typeorm';
import { CatalogError } from '../../../catalog/errors/index.js';
import {
  Database,
  type RowBytes,
  type RowStatement,
  type SqlReader,
  type SqlValue,
  type Transaction,
} from '../../../catalog/store/index.js';
import { currentRequest } from '../../../catalog/schedule/index.js';
import type { RowClass } from '../row-class.js';
import { lazyLog } from '../lazy-log.js';
import { WriteTrouble } from '../write-trouble.js';
import { CommitMarks, type CommitSlot } from './commit-marks.js';
import { mysqlAddress, type MysqlAddress } from './mysql-address.js';
import { MYSQL_DIALECT } from './mysql-dialect.js';
import {
  asCatalogError,
  hasDropped,
  isUnavailable,
  isConflict,
  isLost,
  reasonOf,
  writeTroubleOf,
} from './mysql-errors.js';
import { isCurrent } from './current-tables.js';
import { acquire, acquireBare, query, readRows, select } from './mysql-session.js';
import { MysqlTransaction } from './mysql-transaction.js';
import { unlessEnded } from './ended-statement.js';
import { readServerFacts, type ServerFacts } from './server-facts.js';

export interface MysqlDatabaseOptions {
  /** TypeORM row classes of the modules. */
  rows?: readonly RowClass[];
  /** How long to wait at start for a server that is unavailable. Default one minute. */
  startWaitMs?: number;
  /** How long to ask for the outcome of a commit that was not answered. Default 30 s. */
  resolveMs?: number;
  /** How long a transaction may be between two statements before the server ends it, in seconds. Default one minute. */
  idleTransactionS?: number;
}

/** How often a transaction is tried that meets others, and one whose connection breaks. */
const CONFLICT_TRIES = 12;
const LOST_TRIES = 3;
const LONGEST_PAUSE_MS = 400;

/** Who waits for a connection for so long does not do so because of a burst. */
const LONG_WAIT_MS = 1_000;

/** What its messages are from. */
const CONTEXT = 'MysqlDatabase';

/** The isolation level holds for this transaction alone. */
const BEGIN_SNAPSHOT =
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';

/** A snapshot is read as fast as its client takes it, and nothing waits for it: seconds, the default of the server. */
const IDLE_SNAPSHOT_S = 28_800;

/** What one try of a transaction ended with. */
type Outcome<T> = { done: true; result: T } | { done: false; error: unknown };

/** The connections of a process. */
interface Pools {
  readonly shared: Pool;
  /** The one connection of health checks. */
  readonly health: Pool;
}

/**
 * MySQL or MariaDB. Each transaction has a connection of the pool for itself; readers use the others.
 * Every commit is as durable as the server makes it: there is no cheaper one for a single session.
 */
export class MysqlDatabase extends Database {
  readonly dialect = MYSQL_DIALECT;
  private readonly marks = new CommitMarks();
  private readonly writeTrouble = new WriteTrouble();
  private readonly healthChecks = new AsyncLocalStorage<{ open: boolean }>();
  /** Since when each caller waits for a connection. */
  private readonly waiting = new Set<{ readonly since: number }>();
  private closed = false;
  private unavailable = false;

  private constructor(
    private readonly pools: Pools,
    readonly facts: ServerFacts,
    private readonly typeOrm: DataSource | undefined,
    private readonly resolveMs: number,
    private readonly idleTransactionS: number | undefined,
  ) {
    super();
  }

  /**
   * Connects, and makes or migrates the tables. The database itself must exist.
   * @throws Error when the address is wrong, the server stays unavailable, is too old, or was left with half a migration.
   */
  static async open(url: URL, options: MysqlDatabaseOptions = {}): Promise<MysqlDatabase> {
    const { rows = [], startWaitMs = 60_000, resolveMs = 30_000, idleTransactionS } = options;
    const address = mysqlAddress(url);
    const pool = createPool(poolOptions(address));
    try {
      const facts = await reach(pool, startWaitMs);
      for (const warning of facts.warnings) lazyLog('warn', warning, CONTEXT);
      const current = rows.length === 0 && (await isCurrent(pool));
      const typeOrm = current ? undefined : await openByTypeOrm(pool, facts, rows);
      // It connects when the first health check comes.
      const health = createPool(poolOptions({ ...address, poolSize: 1 }));
      const pools = { shared: pool, health };
      const database = new MysqlDatabase(pools, facts, typeOrm, resolveMs, idleTransactionS);
      const { sql, params } = CommitMarks.forgetOld();
      await database.withConnection((connection) => query(connection, sql, params));
      return database;
    } catch (error) {
      await end(pool);
      throw error;
    }
  }

  async all<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    const request = currentRequest();
    request?.throwIfEnded();
    const read = () =>
      this.withConnection((connection) => {
        const answer = select<R>(connection, sql, params);
        return request === undefined ? answer : unlessEnded(request, connection, answer);
      });
    return this.readOnceMore(read, () => true);
  }

  override async eachRow(statements: readonly RowStatement[]): Promise<void> {
    let begun = false;
    const watched = statements.map((statement) => ({
      ...statement,
      each: (row: RowBytes) => {
        begun = true;
        statement.each(row);
      },
    }));
    const read = () => this.withConnection((connection) => readRows(connection, watched));
    return this.readOnceMore(read, () => !begun);
  }

  /** A connection that died while it was idle shows it at its next use; reading again does no harm where it may be done. */
  private async readOnceMore<T>(read: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
    try {
      return await read().catch((error: unknown) =>
        isLost(error) && mayRepeat() ? read() : Promise.reject(error as Error),
      );
    } catch (error) {
      throw this.translated(error);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let conflicts = 0;
    let losses = 0;
    for (;;) {
      const outcome = await this.attempt(work);
      if (outcome.done) return outcome.result;
      const { error } = outcome;
      if (isConflict(error) && ++conflicts < CONFLICT_TRIES) {
        await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 5 * 2 ** conflicts));
      } else if (!isLost(error) || ++losses >= LOST_TRIES) {
        throw this.translated(error);
      }
    }
  }

  async snapshot<T>(work: (reader: SqlReader) => Promise<T>): Promise<T> {
    let connection: PoolConnection | undefined;
    try {
      const own = (connection = await this.connection());
      await query(own, `SET SESSION wait_timeout = ${IDLE_SNAPSHOT_S}; ${BEGIN_SNAPSHOT}`);
      return await work({
        dialect: this.dialect,
        all: <R extends object>(sql: string, params: readonly SqlValue[] = []) => select<R>(own, sql, params),
        eachRow: (statements) => readRows(own, statements),
      });
    } catch (error) {
      throw this.translated(error);
    } finally {
      // Its session has another limit.
      connection?.destroy();
    }
  }

  override async forHealth<T>(work: () => Promise<T>): Promise<T> {
    const check = { open: true };
    try {
      return await this.healthChecks.run(check, work);
    } finally {
      // What it has set going, such as a connection of Redis, goes on.
      check.open = false;
    }
  }

  async trouble(): Promise<string | undefined> {
    // They wait in order.
    const [first] = this.waiting;
    const waited = first === undefined ? 0 : performance.now() - first.since;
    if (waited > LONG_WAIT_MS)
      return `all connections to the database are busy: a statement has waited for one for ${Math.round(waited / 1000)} s`;
    return this.writeTrouble.look((work) => this.transaction(work));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { shared, health } = this.pools;
    await Promise.all([this.typeOrm ? this.typeOrm.destroy() : end(shared), end(health)]);
  }

  /** One try. Only an outcome that is certain is an outcome; what cannot be found out is thrown. */
  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<Outcome<T>> {
    let connection: PoolConnection;
    try {
      connection = await this.connection();
    } catch (error) {
      if (hasDropped(error)) return { done: false, error };
      throw this.translated(error);
    }
    const slot = this.marks.take();
    const tx = new MysqlTransaction(connection, this.facts.maxPacket, CommitMarks.begin(slot));
    let result: T;
    try {
      result = await work(tx);
      if (tx.broken !== undefined) throw tx.broken as Error;
    } catch (error) {
      tx.end();
      await this.rollback(connection, tx.broken ?? error);
      this.marks.give(slot);
      return { done: false, error: tx.broken ?? error };
    }
    try {
      await tx.commit();
    } catch (error) {
      await this.rollback(connection, error);
      const committed = !isConflict(error) && (await this.hasCommitted(slot, error));
      this.marks.give(slot);
      return committed ? { done: true, result } : { done: false, error };
    }
    connection.release();
    this.marks.give(slot);
    return { done: true, result };
  }

  private async rollback(connection: PoolConnection, error: unknown): Promise<void> {
    if (isLost(error)) return connection.destroy();
    try {
      await query(connection, 'ROLLBACK');
      connection.release();
    } catch {
      // The server rolls back what the connection leaves.
      connection.destroy();
    }
  }

  /**
   * What became of a commit without an answer, or of one that went with a statement that was refused: mostly the statement
   * is what was wrong. The row of its mark stays locked until the transaction is over.
   * @throws CatalogError SERVICE_UNAVAILABLE when the server does not come back in time.
   */
  private async hasCommitted(slot: CommitSlot, cause: unknown): Promise<boolean> {
    const unanswered = isLost(cause);
    if (unanswered)
      lazyLog('warn', `a commit was not answered (${reasonOf(cause)}); looking for its mark`, CONTEXT);
    const deadline = performance.now() + this.resolveMs;
    for (;;) {
      try {
        const { sql, params } = CommitMarks.lookUp(slot);
        const [row] = await this.withConnection((c) => select<{ last: number }>(c, sql, params));
        const committed = Number(row?.last ?? 0) === slot.last;
        if (unanswered || committed)
          lazyLog('warn', `the commit that was not answered has ${committed ? '' : 'not '}happened`, CONTEXT);
        return committed;
      } catch (error) {
        if ((!isUnavailable(error) && !isConflict(error)) || performance.now() > deadline) {
          lazyLog('error', `the outcome of a commit stays unknown: ${reasonOf(error)}`, CONTEXT);
          const text =
            'the connection to the database was lost while it stored this; it may be stored or not: send it again';
          throw new CatalogError('SERVICE_UNAVAILABLE', text, [], { cause });
        }
        await pause(100 + Math.random() * 200);
      }
    }
  }

  private async withConnection<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
    const connection = await this.connection();
    try {
      const result = await work(connection);
      connection.release();
      return result;
    } catch (error) {
      if (isLost(error)) connection.destroy();
      else connection.release();
      throw error;
    }
  }

  private async connection(): Promise<PoolConnection> {
    if (this.closed) throw new Error('the database is closed');
    const connection = await this.acquired();
    if (this.unavailable) lazyLog('log', 'the database is back', CONTEXT);
    this.unavailable = false;
    return connection;
  }

  private async acquired(): Promise<PoolConnection> {
    const { facts, idleTransactionS } = this;
    const { shared, health } = this.pools;
    if (this.healthChecks.getStore()?.open === true) return acquire(health, facts, idleTransactionS);
    const waiter = { since: performance.now() };
    this.waiting.add(waiter);
    try {
      return await acquire(shared, facts, idleTransactionS);
    } finally {
      this.waiting.delete(waiter);
    }
  }

  private translated(error: unknown): unknown {
    const trouble = writeTroubleOf(error);
    if (trouble !== undefined) this.writeTrouble.note(trouble);
    else if (!this.unavailable && isUnavailable(error)) {
      this.unavailable = true;
      lazyLog('warn', `the database is unavailable: ${reasonOf(error)}`, CONTEXT);
    }
    return asCatalogError(error);
  }
}

function poolOptions({ poolSize, ssl, ...address }: MysqlAddress): PoolOptions {
  return {
    ...address,
    ...(ssl && { ssl }),
    connectionLimit: poolSize,
    charset: 'utf8mb4_bin',
    connectTimeout: 5000,
    // Numbers are numbers: what the catalog stores stays below 2^53.
    supportBigNumbers: true,
    bigNumberStrings: false,
    decimalNumbers: true,
    // See MysqlTransaction.runEach; every value goes through the driver's own escaping.
    multipleStatements: true,
    flags: ['+FOUND_ROWS'],
    // The system gives up an idle connection whose other side is gone within half a minute.
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    idleTimeout: 600_000,
    queryFormat,
  };
}

/** As the driver does it, which reads every statement through, a megabyte of rows as well, to find no parameters in it. */
function queryFormat(sql: string, values: SqlValue[]): string {
  return values.length === 0 ? sql : format(sql, values);
}

/** Waits for a server that is unavailable; everything else that is wrong is thrown at once. */
async function reach(pool: Pool, waitMs: number): Promise<ServerFacts> {
  const deadline = performance.now() + waitMs;
  let connection: PoolConnection | undefined;
  for (let warned = false; connection === undefined;) {
    try {
      connection = await acquireBare(pool);
    } catch (error) {
      const reason = reasonOf(error);
      if (!isUnavailable(error) || isRefusal(error))
        throw new Error(`the database cannot be used: ${reason}`, { cause: error });
      if (performance.now() > deadline)
        throw new Error(`the database is unavailable: ${reason}`, { cause: error });
      if (!warned) lazyLog('warn', `the database is unavailable, waiting for it: ${reason}`, CONTEXT);
      warned = true;
      await pause(500);
    }
  }
  try {
    const own = connection;
    return await readServerFacts((sql) => select(own, sql, []));
  } finally {
    connection.release();
  }
}

/** The server answered, and does not want us: waiting does not help. Wrong user, password, database, host. */
function isRefusal(error: unknown): boolean {
  const { code, errno } = error as { code?: string; errno?: number };
  return /^ER_(ACCESS_DENIED|DBACCESS_DENIED|BAD_DB|HOST)/.test(code ?? '') || errno === 1698;
}

/** Makes the tables, or brings them up to date. TypeORM is loaded where it is needed: a command starts in half the time without. */
async function openByTypeOrm(pool: Pool, facts: ServerFacts, rows: readonly RowClass[]): Promise<DataSource> {
  const { migrated } = await import('./typeorm-tables.js');
  return migrated(pool, facts, rows);
}

function end(pool: Pool): Promise<void> {
  return new Promise((resolve) => pool.end(() => resolve()));
}
