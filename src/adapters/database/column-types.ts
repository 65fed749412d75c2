/** Column types of one database, by what the column holds. */
export interface ColumnTypes {
  /** An automatic number, the primary key. */
  serial: string;
  /** At most 512 bytes, compared byte for byte. */
  urn: string;
  /** A short word of the service (an aspect, a type, a digest): at most 128 bytes, compared byte for byte. */
  name: string;
  /** Short text: at most 512 bytes, compared byte for byte. */
  path: string;
  bigint: string;
  flag: string;
  /** Text of any length. */
  json: string;
  /** Table options. */
  table: string;
  /** Options of a table of small rows that lives in its primary key. */
  clusteredTable: string;
}

const SQLITE: ColumnTypes = {
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  urn: 'TEXT',
  name: 'TEXT',
  path: 'TEXT',
  bigint: 'INTEGER',
  flag: 'INTEGER',
  json: 'TEXT',
  table: '',
  clusteredTable: 'WITHOUT ROWID',
};

/** Keys are binary strings: compared byte for byte, trailing blanks included, and ordered as on SQLite. */
const MYSQL: ColumnTypes = {
  serial: 'BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY',
  urn: 'VARBINARY(512)',
  name: 'VARBINARY(128)',
  path: 'VARBINARY(512)',
  bigint: 'BIGINT',
  flag: 'TINYINT',
  json: 'LONGTEXT',
  table: 'ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  clusteredTable: 'ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
};

/** Throws when the catalog has no migrations for `type`. */
export function columnTypes(type: string): ColumnTypes {
  if (type === 'better-sqlite3') return SQLITE;
  if (type === 'mysql') return MYSQL;
  throw new Error(`no column types for the database ${type}`);
}
