import type { OnConflict, SqlValue, Transaction } from '../catalog/store/index.js';
import type { SpanHeading, Tracing } from '../catalog/tracing/index.js';

/** Longer statements are cut: they have many rows, each with the same text. */
const MAX_TEXT = 2_000;

/** The span of one statement: its text, which has no values in it. */
export function statementSpan(system: string, sql: string): SpanHeading {
  const [, verb = 'SQL'] = /^\W*(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/i.exec(sql) ?? [];
  return {
    name: table === undefined ? verb : `${verb} ${table}`,
    kind: 'client',
    attributes: { 'db.system.name': system, 'db.query.text': sql.slice(0, MAX_TEXT) },
  };
}

type Rows = ReadonlyArray<readonly SqlValue[]>;

/** A transaction whose statements are spans. */
export class TracedTransaction implements Transaction {
  constructor(
    private readonly tx: Transaction,
    private readonly tracing: Tracing,
  ) {}

  get dialect(): Transaction['dialect'] {
    return this.tx.dialect;
  }

  all<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    return this.statement(sql, () => this.tx.all<R>(sql, params));
  }

  run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return this.statement(sql, () => this.tx.run(sql, params));
  }

  insert(
    table: string,
    columns: readonly string[],
    rows: Rows,
    onConflict?: OnConflict,
  ): Promise<number | undefined> {
    if (rows.length === 0) return this.tx.insert(table, columns, rows, onConflict);
    return this.rows(`INSERT ${table}`, rows, () => this.tx.insert(table, columns, rows, onConflict));
  }

  reserve(table: string, count: number): Promise<number | undefined> {
    return this.tx.reserve(table, count);
  }

  rewrite(table: string, columns: readonly string[], rows: Rows, set: readonly string[]): Promise<void> {
    if (rows.length === 0) return this.tx.rewrite(table, columns, rows, set);
    return this.rows(`UPDATE ${table}`, rows, () => this.tx.rewrite(table, columns, rows, set));
  }

  runEach(sql: string, rows: Rows): Promise<void> {
    if (rows.length === 0) return this.tx.runEach(sql, rows);
    return this.statement(sql, () => this.tx.runEach(sql, rows));
  }

  deleteEach(table: string, where: string, rows: Rows): Promise<void> {
    if (rows.length === 0) return this.tx.deleteEach(table, where, rows);
    return this.rows(`DELETE ${table}`, rows, () => this.tx.deleteEach(table, where, rows));
  }

  private statement<T>(sql: string, work: () => Promise<T>): Promise<T> {
    return this.tracing.span(statementSpan(this.dialect.name, sql), work);
  }

  private rows<T>(name: string, rows: Rows, work: () => Promise<T>): Promise<T> {
    const attributes = { 'db.system.name': this.dialect.name, 'catalog.rows': rows.length };
    return this.tracing.span({ name, kind: 'client', attributes }, work);
  }
}
