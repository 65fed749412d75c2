import type { PoolConnection } from 'mysql2';
import { CatalogError } from '../../../catalog/errors/index.js';
import type { OnConflict, SqlValue, Transaction } from '../../../catalog/store/index.js';
import { MYSQL_DIALECT } from './mysql-dialect.js';
import { isAway, isConflict } from './mysql-errors.js';
import { bindable, query, select, type Result } from './mysql-session.js';

/** What one packet holds beside the rows, bytes; generous. */
const PACKET_MARGIN = 16 * 1024;
/** Characters that mean something between quotes; NUL does not, but a text with one is better seen. */
const MEANT = ["'", '\\', '\0'];
/** Longer statements gain nothing. */
const GOOD_STATEMENT = 1024 * 1024;

/** One open transaction on a connection of its own. */
export class MysqlTransaction implements Transaction {
  readonly dialect = MYSQL_DIALECT;
  private open = true;
  private readonly longest: number;
  private readonly limit: number;
  /** The server has rolled back, whatever the work makes of the error that said so. */
  broken: unknown;

  constructor(
    private readonly connection: PoolConnection,
    maxPacket: number,
  ) {
    this.limit = maxPacket - PACKET_MARGIN;
    this.longest = Math.min(this.limit, GOOD_STATEMENT);
  }

  all<R extends object>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    return this.guarded(() => select<R>(this.connection, sql, params));
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    const result = (await this.guarded(() => query(this.connection, sql, params))) as Result;
    return result.affectedRows;
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: ReadonlyArray<readonly SqlValue[]>,
    onConflict?: OnConflict,
  ): Promise<void> {
    if (rows.length === 0) return;
    const head = `INSERT INTO ${table} (${columns.join(', ')}) VALUES `;
    const tail = conflictSql(onConflict);
    const parts = ['(', ...columns.slice(1).map(() => ', '), ')'];
    for (const values of this.packets(parts, rows, ', ')) await this.send(head + values + tail);
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
    for (const statements of this.packets(sql.split('?'), rows, ';\n')) await this.send(statements);
  }

  /** After commit or rollback the handle is dead: a late write would be a transaction of its own. */
  end(): void {
    this.open = false;
  }

  private async send(sql: string): Promise<void> {
    await this.guarded(() => query(this.connection, sql));
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
      if (isConflict(error) || isAway(error)) this.broken = error;
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
