import type { PoolConnection } from 'mysql2';
import { CatalogError } from '../../../catalog/errors/index.js';
import type { OnConflict, SqlValue, Transaction } from '../../../catalog/store/index.js';
import { MYSQL_DIALECT } from './mysql-dialect.js';
import { isUnavailable, isConflict } from './mysql-errors.js';
import { bindable, query, selectLast, type Result } from './mysql-session.js';

/** What one packet holds beside the rows, bytes; generous. */
const PACKET_MARGIN = 16 * 1024;
/** Characters that mean something between quotes; NUL does not, but a text with one is better seen. */
const MEANT = ["'", '\\', '\0'];
/** Longer statements gain nothing. */
const GOOD_STATEMENT = 1024 * 1024;

/** A statement with its parameters. */
export interface Statement {
  sql: string;
  params: readonly SqlValue[];
}

/**
 * One open transaction on a connection of its own. Every packet is a round trip, so statements that answer nothing are
 * kept until one that does, or the commit, goes to the server, and go along with it. What is wrong with one of them is
 * thrown then.
 */
export class MysqlTransaction implements Transaction {
  readonly dialect = MYSQL_DIALECT;
  private open = true;
  private readonly longest: number;
  private readonly limit: number;
  /** The server has rolled back, whatever the work makes of the error that said so. */
  broken: unknown;
  /** Statements that were not sent yet, and their bytes. */
  private kept: string[] = [];
  private keptBytes = 0;

  /** @param begin what begins the transaction; sent with the first statement */
  constructor(
    private readonly connection: PoolConnection,
    maxPacket: number,
    begin: Statement,
  ) {
    this.limit = maxPacket - PACKET_MARGIN;
    this.longest = Math.min(this.limit, GOOD_STATEMENT);
    this.kept.push(this.formatted(begin.sql, begin.params));
  }

  all<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    return this.guarded(async () => selectLast<R>(this.connection, await this.packet(sql, params)));
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    const results = await this.guarded(async () => query(this.connection, await this.packet(sql, params)));
    const result = (Array.isArray(results) ? results.at(-1) : results) as Result;
    return result.affectedRows;
  }

  /** Sends what is left, and the commit with it. */
  commit(): Promise<unknown> {
    const done = this.guarded(async () => query(this.connection, await this.packet('COMMIT', [])));
    this.open = false;
    return done;
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    onConflict?: OnConflict,
  ): Promise<undefined> {
    if (rows.length === 0) return;
    const head = `INSERT INTO ${table} (${columns.join(', ')}) VALUES `;
    const tail = conflictSql(onConflict);
    const parts = ['(', ...columns.slice(1).map(() => ', '), ')'];
    for (const values of this.packets(parts, rows, ', ')) await this.keep(head + values + tail);
  }

  /** Others insert at the same time. */
  async reserve(): Promise<undefined> {
    return undefined;
  }

  async rewrite(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    set: readonly string[],
  ): Promise<void> {
    // An UPDATE for each row would be answered one by one, and every answer wakes the process.
    await this.insert(table, columns, rows, { key: [columns[0] ?? ''], then: 'update', set });
  }

  async runEach(sql: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void> {
    // One packet of many statements: the way to the server is what a lone statement spends its time on.
    for (const statements of this.packets(sql.split('?'), rows, ';\n')) await this.keep(statements);
  }

  deleteEach(table: string, where: string, rows: ReadonlyArray<readonly SqlValue[]>): Promise<void> {
    return this.runEach(`DELETE FROM ${table} WHERE ${where}`, rows);
  }

  /** After commit or rollback the handle is dead: a late write would be a transaction of its own. */
  end(): void {
    this.open = false;
  }

  /** Puts a text of one or more statements behind those that are kept; many of them go at once. */
  private keep(sql: string): Promise<void> {
    return this.guarded(async () => {
      const bytes = Buffer.byteLength(sql);
      if (this.keptBytes + bytes > this.longest) await this.sendKept();
      this.kept.push(sql);
      this.keptBytes += bytes;
    });
  }

  /** What is kept and a statement behind it, as one text: the last of its results is that of the statement. */
  private async packet(sql: string, params: readonly SqlValue[]): Promise<string> {
    const text = this.formatted(sql, params);
    if (this.keptBytes + Buffer.byteLength(text) > this.limit) await this.sendKept();
    const packet = [...this.kept, text].join(';\n');
    this.forget();
    return packet;
  }

  private async sendKept(): Promise<void> {
    if (this.kept.length === 0) return;
    const packet = this.kept.join(';\n');
    this.forget();
    await query(this.connection, packet);
  }

  private forget(): void {
    this.kept = [];
    this.keptBytes = 0;
  }

  /** Parameters go in before texts are joined: a question mark may stand in a value. */
  private formatted(sql: string, params: readonly SqlValue[]): string {
    return this.connection.format(sql, params.map(bindable));
  }

  private literal(value: SqlValue): string {
    if (typeof value === 'number') return String(value);
    // Most texts hold nothing that the session's sql_mode gives a meaning. JSON is full of what the driver escapes
    // beyond that.
    if (typeof value === 'string' && !MEANT.some((c) => value.includes(c))) return `'${value}'`;
    return this.connection.escape(bindable(value));
  }

  /** Weaves the values of each row between the parts, and joins what comes of it to packets that the server takes. */
  private *packets(
    parts: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    separator: string,
  ): Generator<string> {
    const fixed = parts.reduce((bytes, part) => bytes + Buffer.byteLength(part), separator.length);
    let packet = '';
    let bytes = 0;
    for (const row of rows) {
      let text = '';
      let size = fixed;
      for (let i = 0; i < parts.length; i++) {
        text += parts[i];
        if (i === parts.length - 1) break;
        const literal = this.literal(row[i] as SqlValue);
        // Only the value is looked at: to look at the whole would put it together, which is done once in the end.
        size += Buffer.byteLength(literal);
        text += literal;
      }
      if (size > this.limit) {
        throw new CatalogError(
          'BODY_TOO_LARGE',
          `a value takes ${size} bytes as a statement, the database takes ${this.limit} (max_allowed_packet)`,
        );
      }
      if (packet !== '' && bytes + size > this.longest) {
        yield packet;
        packet = '';
        bytes = 0;
      }
      packet += packet === '' ? text : separator + text;
      bytes += size;
    }
    if (packet !== '') yield packet;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    if (!this.open) throw new Error('the transaction has ended');
    if (this.broken !== undefined) throw this.broken as Error;
    try {
      return await work();
    } catch (error) {
      if (isConflict(error) || isUnavailable(error)) this.broken = error;
      throw error;
    }
  }
}

function conflictSql(onConflict: OnConflict | undefined): string {
  if (onConflict === undefined) return '';
  // INSERT IGNORE would ignore everything else that is wrong as well.
  const [first] = onConflict.key;
  const set =
    onConflict.then === 'ignore' ? [`${first} = ${first}`] : onConflict.set.map((c) => `${c} = VALUES(${c})`);
  return ` ON DUPLICATE KEY UPDATE ${set.join(', ')}`;
}
