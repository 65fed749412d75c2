import type { Dialect, SqlValue } from '../../../catalog/store/index.js';

export const SQLITE_DIALECT: Dialect = {
  name: 'sqlite',
  in(column: string, values: readonly SqlValue[]) {
    // One parameter whatever the length: one prepared statement serves every list.
    return {
      sql: `${column} IN (SELECT value FROM json_each(?))`,
      params: [JSON.stringify(values)],
    };
  },
  inRows(columns, rows) {
    const values = columns.map((_, i) => `given.value ->> ${i}`).join(', ');
    return {
      sql: `(${columns.join(', ')}) IN (SELECT ${values} FROM json_each(?) given)`,
      params: [JSON.stringify(rows)],
    };
  },
  // Writers are serialized before they reach SQLite.
  forUpdate: '',
  now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  forShare: '',
  like: (column: string) => `${column} LIKE ? ESCAPE '\\'`,
  texts: {
    literal: (text) => `'${text.replaceAll("'", "''")}'`,
    quoted: (column) => `json_quote(${column})`,
    joined: (parts) => `concat(${parts.join(', ')})`,
    when: (condition, text) => `CASE WHEN ${condition} THEN ${text} END`,
    all: (column, separator) => `group_concat(${column}, '${separator}')`,
    bytes: (column) => `CAST(group_concat(${column}, '') AS BLOB)`,
  },
};
