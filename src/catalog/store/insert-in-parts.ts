import type { OnConflict, SqlValue, Transaction } from './database.js';

const TOGETHER = 1_000;

/**
 * Inserts a row for each item. The rows are made some at a time: tens of thousands of them, made in one go, would hold the
 * event loop.
 * @returns what the last insert does
 */
export async function insertInParts<R extends object, T>(
  tx: Transaction,
  table: string,
  columns: ReadonlyArray<NoInfer<keyof R & string>>,
  items: readonly T[],
  row: (item: T, index: number) => SqlValue[],
  onConflict?: OnConflict<NoInfer<keyof R & string>>,
): Promise<number | undefined> {
  let last: number | undefined;
  for (let from = 0; from < items.length; from += TOGETHER) {
    const rows = items.slice(from, from + TOGETHER).map((item, i) => row(item, from + i));
    last = await tx.insert<R>(table, columns, rows, onConflict);
  }
  return last;
}
