import type { SqlParam } from '../index-connection.js';
import type { IndexFile } from '../index-file.js';

/** Rows that one statement writes. */
const MANY = 32;

/**
 * How rows of one kind are written. Statements are found by their text, so each is put together once.
 *
 * A statement of many rows that may be taken back keeps a copy of each page before it changes it, which costs more than all
 * its rows save. It is to say `INSERT OR FAIL`: a failure takes the whole transaction back anyway. What an upsert
 * changes must have no constraint for the same reason.
 */
export interface RowInsert {
  readonly columns: number;
  readonly one: string;
  readonly many: string;
}

/**
 * @param head what comes before the rows
 * @param tail what comes after them
 */
export function rowInsert(head: string, columns: number, tail = ''): RowInsert {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const text = (rows: number) => `${head} VALUES ${Array(rows).fill(row).join(', ')} ${tail}`;
  return { columns, one: text(1), many: text(MANY) };
}

/** Collects rows and writes many with one statement: most of what one row costs is the statement. */
export class RowBuffer {
  private values: SqlParam[] = [];

  /** @param written is told after each statement how many of how many rows it wrote */
  constructor(
    private readonly file: IndexFile,
    private readonly insert: RowInsert,
    private readonly written: (changed: number, rows: number) => void = () => undefined,
  ) {}

  add(...row: SqlParam[]): void {
    for (const value of row) this.values.push(value);
    if (this.values.length === MANY * this.insert.columns) this.write();
  }

  /** Writes what is left. */
  write(): void {
    const { file, values } = this;
    const { columns, one, many } = this.insert;
    if (values.length === 0) return;
    this.values = [];
    if (values.length === MANY * columns) return this.written(file.changed(many, ...values), MANY);
    for (let from = 0; from < values.length; from += columns)
      this.written(file.changed(one, ...values.slice(from, from + columns)), 1);
  }
}
