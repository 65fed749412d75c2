import type { Dialect, SqlValue } from '../../../catalog/store/index.js';

export const MYSQL_DIALECT: Dialect = {
  name: 'mysql',
  in(column: string, values: readonly SqlValue[]) {
    if (values.length === 0) return { sql: '1 = 0', params: [] };
    return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: [...values] };
  },
  inRows(columns, rows) {
    if (rows.length === 0) return { sql: '1 = 0', params: [] };
    const row = `(${columns.map(() => '?').join(', ')})`;
    return {
      sql: `(${columns.join(', ')}) IN (${rows.map(() => row).join(', ')})`,
      params: rows.flat(),
    };
  },
  forUpdate: 'FOR UPDATE',
  now: 'UNIX_TIMESTAMP() * 1000',
  forShare: 'LOCK IN SHARE MODE',
  // Keys are binary strings, where `_` would stand for one byte: as text it stands for one character.
  like: (column: string) => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin LIKE ?`,
};
