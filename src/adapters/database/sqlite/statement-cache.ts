import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../../catalog/store/index.js';
import { bindable, bindableRow } from './node-sqlite-driver.js';

/** A prepared statement. */
class PreparedStatement {
  /** Of the columns that it answers. */
  private readonly names: readonly string[];

  constructor(private readonly statement: StatementSync) {
    this.names = statement.columns().map(({ name }) => name);
    statement.setReturnArrays(true);
  }

  /**
   * All rows. Objects made from arrays are plain ones; those that node:sqlite makes are dictionaries, which take twice the
   * time to make and to read.
   */
  all<R extends object>(params: readonly SqlValue[]): R[] {
    const { names } = this;
    return (this.statement.all(...params.map(bindable)) as unknown as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i += 1) row[names[i]!] = values[i];
      return row as R;
    });
  }

  run(row: readonly SqlValue[]): ReturnType<StatementSync['run']> {
    return this.statement.run(...bindableRow(row));
  }
}

/**
 * The text to prepare for a statement that is kept. SQLite plans one whose LIMIT is a parameter again for each value, which takes
 * longer than many of them run; it does not look into an expression.
 */
export const keptSql = (sql: string): string => sql.replaceAll(/\bLIMIT \?/g, 'LIMIT ? + 0');

/** Prepared statements by text, the least recently used dropped: preparing anew costs a third of a point query. */
export class StatementCache {
  private readonly statements = new Map<string, PreparedStatement>();

  constructor(
    private readonly connection: DatabaseSync,
    private readonly limit = 200,
  ) {}

  get(sql: string): PreparedStatement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = new PreparedStatement(this.connection.prepare(keptSql(sql)));
      if (this.statements.size >= this.limit) {
        this.statements.delete(this.statements.keys().next().value as string);
      }
    } else {
      this.statements.delete(sql);
    }
    this.statements.set(sql, statement);
    return statement;
  }
}
