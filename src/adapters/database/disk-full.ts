import { isFull as isFullOnMysql } from './mysql/mysql-errors.js';
import { isFull as isFullOnSqlite } from './sqlite/sqlite-errors.js';

/** Whether a database failed because its disk is full; also of what a transaction makes of that. */
export function isDiskFull(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return [error, cause].some((each) => isFullOnSqlite(each) || isFullOnMysql(each));
}
