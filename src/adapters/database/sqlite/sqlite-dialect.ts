import type { Dialect, SqlValue } from '../../../catalog/store/index.js';

export const SQLITE_DIALECT: Dialect = {
  name: 'sqlite',
  in(column: string, values: readonly SqlValue[]) {
    // One parameter whatever the length: one prepared statement serves every list.
    return { sql: `${column} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(values)] };
  },
  // Writers are serialized before they reach SQLite.
  forUpdate: '',
  forShare: '',
  like: (column: string) => `${column} LIKE ? ESCAPE '\\'`,
};
