import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../../catalog/store/index.js';

/** Values as node:sqlite can bind them: it refuses booleans, undefined and dates. */
export function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  return value as SQLInputValue;
}

/** {@link bindable} for a whole row, which is only copied when something in it must change. */
export function bindableRow(row: readonly SqlValue[]): SQLInputValue[] {
  return row.some((value) => typeof value === 'boolean') ? row.map(bindable) : (row as SQLInputValue[]);
}

/** A prepared statement in the shape that TypeORM's SQLite driver calls. */
class DriverStatement {
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  all(...params: unknown[]): unknown[] {
    return this.statement.all(...params.map(bindable));
  }

  get(...params: unknown[]): unknown {
    return this.statement.get(...params.map(bindable));
  }

  run(...params: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.statement.run(...params.map(bindable));
  }

  iterate(...params: unknown[]): IterableIterator<unknown> {
    return this.statement.iterate(...params.map(bindable));
  }
}

/**
 * `node:sqlite` in the shape of the `better-sqlite3` package, which is what TypeORM knows how to drive.
 * Only what TypeORM calls is here. The catalog's own statements go to {@link native} directly.
 */
export class NodeSqliteDriver {
  readonly native: DatabaseSync;

  constructor(file: string, options: { readonly?: boolean } = {}) {
    this.native = new DatabaseSync(file, { readOnly: options.readonly === true });
  }

  get open(): boolean {
    return this.native.isOpen;
  }

  prepare(sql: string): DriverStatement {
    return new DriverStatement(this.native.prepare(sql));
  }

  exec(sql: string): void {
    this.native.exec(sql);
  }

  pragma(text: string): unknown[] {
    return this.native.prepare(`PRAGMA ${text}`).all();
  }

  close(): void {
    this.native.close();
  }
}
