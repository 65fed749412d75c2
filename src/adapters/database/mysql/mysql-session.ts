import type { FieldPacket, Pool, PoolConnection } from 'mysql2';
import {
  releaseBytes,
  type RowBytes,
  type RowStatement,
  type SqlValue,
} from '../../../catalog/store/index.js';
import type { ServerFacts } from './server-facts.js';
import { watchStatement } from './statement-watch.js';

const LOCK_WAIT_S = 10;

/**
 * How long a transaction may be between two statements, in seconds, before the server ends it: its process stands still, or its
 * machine is gone without a word, and what it has locked is in the way of all others. A process that goes on meets a connection
 * that is lost, and begins the transaction again. Longer than the longest piece of work between two statements.
 */
const IDLE_TRANSACTION_S = 60;

/** Of a binary string: what `VARBINARY` columns answer. */
const BINARY = 63;

export interface Result {
  affectedRows: number;
}

/** Connections of the pool whose session has been set up. */
const ready = new WeakSet<object>();

/** A connection of the pool with its session set up. Give it back with `release`, or `destroy` it. */
export async function acquire(
  pool: Pool,
  facts: ServerFacts,
  idleTransactionS?: number,
): Promise<PoolConnection> {
  const connection = await acquireBare(pool);
  if (ready.has(connection)) return connection;
  try {
    await query(connection, sessionSql(facts, idleTransactionS));
  } catch (error) {
    connection.destroy();
    throw error;
  }
  ready.add(connection);
  return connection;
}

/** A connection of the pool, which may be new. */
export function acquireBare(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) =>
    pool.getConnection((error, made) => (error ? reject(error) : resolve(made))),
  );
}

/**
 * What holds in each session, whatever the server's own settings are. READ COMMITTED: no gap locks, and a statement
 * after a lock sees what the holder before committed. Strict: a value that does not fit is an error.
 */
export function sessionSql({ mariadb }: ServerFacts, idleTransactionS = IDLE_TRANSACTION_S): string {
  const variables = [
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO,ONLY_FULL_GROUP_BY'",
    'autocommit = 1',
    `innodb_lock_wait_timeout = ${LOCK_WAIT_S}`,
    // MySQL knows no limit for transactions: it closes connections of the pool that nothing uses as well.
    `${mariadb ? 'idle_write_transaction_timeout' : 'wait_timeout'} = ${idleTransactionS}`,
    // Long lists of keys stay look-ups in an index, and a walk along an index may take any number of steps.
    ...(mariadb
      ? ['in_predicate_conversion_threshold = 0', 'max_recursive_iterations = 4294967295']
      : ['range_optimizer_max_mem_size = 0', 'cte_max_recursion_depth = 4294967295']),
  ];
  return `SET SESSION ${variables.join(', ')}; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED`;
}

/** Runs one text, which may hold several statements. */
export async function query(
  connection: PoolConnection,
  sql: string,
  params: readonly SqlValue[] = [],
): Promise<unknown> {
  return (await send(connection, sql, params)).result;
}

/** The rows of one SELECT, keys as texts. */
export async function select<R extends object>(
  connection: PoolConnection,
  sql: string,
  params: readonly SqlValue[],
): Promise<R[]> {
  const { result, fields } = await send(connection, sql, params);
  return withTexts(result as Array<Record<string, unknown>>, fields) as R[];
}

/** The rows of the SELECT that one text of several statements ends with. */
export async function selectLast<R extends object>(connection: PoolConnection, sql: string): Promise<R[]> {
  const { result, fields } = await send(connection, sql, []);
  const several = fields.length > 0 && fields.some((some) => some === undefined || Array.isArray(some));
  const rows = several ? (result as unknown[]).at(-1) : result;
  const names = several ? (fields as unknown as FieldPacket[][]).at(-1) : fields;
  return withTexts(rows as Array<Record<string, unknown>>, names ?? []) as R[];
}

/**
 * Hands the rows of SELECTs over as they come: to make values of them takes the driver longer than to read them. The server is at
 * the next of them while the rows of the one before are read.
 */
export async function readRows(
  connection: PoolConnection,
  statements: readonly RowStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  const row = new PacketRow();
  const sql = statements.map((statement) => statement.sql).join('; ');
  const params = statements.flatMap((statement) => statement.params);
  const { result } = await send(connection, sql, params, (command) => {
    const end = command.row.bind(command);
    let at = 0;
    const next = (packet: Packet): unknown => {
      if (packet.isEOF()) {
        at += 1;
        return end(packet, connection);
      }
      row.take(packet);
      statements[at]!.each(row);
      return next;
    };
    command.row = next;
  });
  // A driver that has another way to its rows does not ask for this one.
  if ((result as unknown[]).flat().length > 0) throw new Error('the driver reads rows otherwise');
}

/** What the driver has of a row, and of its way through an answer: what is answered takes the next packet. */
interface Packet {
  readonly buffer: Buffer<ArrayBuffer>;
  offset: number;
  isEOF(): boolean;
  readLengthCodedNumber(): number | null;
}
interface Command {
  row(packet: Packet, connection: PoolConnection): unknown;
}

class PacketRow implements RowBytes {
  private packet!: Packet;
  private chunk: Buffer<ArrayBuffer> | undefined;
  start = 0;
  end = 0;

  take(packet: Packet): void {
    this.packet = packet;
    const { buffer } = packet;
    if (buffer.buffer === this.chunk?.buffer) return;
    // The driver is past the rows that it had of the socket before, of the last of which it has made a copy.
    if (this.chunk !== undefined) releaseBytes(this.chunk);
    this.chunk = buffer;
  }

  get bytes(): Buffer {
    return this.packet.buffer;
  }

  next(): void {
    const { packet } = this;
    const length = packet.readLengthCodedNumber() ?? 0;
    this.start = packet.offset;
    this.end = packet.offset += length;
  }
}

function send(
  connection: PoolConnection,
  sql: string,
  params: readonly SqlValue[],
  changed?: (command: Command) => void,
): Promise<{ result: unknown; fields: FieldPacket[] }> {
  return new Promise((resolve, reject) => {
    // The driver's own limit outlives a connection that breaks, and keeps the process from ending.
    const answered = watchStatement(connection, (text) => {
      connection.destroy();
      reject(Object.assign(new Error(text), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }));
    });
    const command = connection.query({ sql, values: params.map(bindable) }, (error, result, fields) => {
      answered();
      if (error) reject(error);
      else resolve({ result, fields });
    });
    changed?.(command as unknown as Command);
  });
}

/** The driver answers binary strings as buffers; here they are texts that compare byte for byte. */
function withTexts(
  rows: Array<Record<string, unknown>>,
  fields: FieldPacket[],
): Array<Record<string, unknown>> {
  const names: string[] = [];
  for (const { characterSet, name } of fields as Array<FieldPacket & { characterSet: number }>) {
    if (characterSet === BINARY) names.push(name);
  }
  if (names.length === 0) return rows;
  for (const row of rows) {
    for (const name of names) {
      const value = row[name];
      if (Buffer.isBuffer(value)) row[name] = value.toString('utf8');
    }
  }
  return rows;
}

/** Values as the driver escapes them. */
export function bindable(value: SqlValue): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}
