import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { removeFolder, tempFolder } from './lib.mjs';

const TABLES = ['entity', 'aspect', 'relationship', 'change_log'];

/**
 * A new database with the tables of a catalog, to write the rows of that catalog into straight, `parts` equal parts of
 * each table. `write(from, to)` writes these parts in one flushed transaction.
 */
export function copyOf(home, parts) {
  const source = new DatabaseSync(join(home, 'catalog.db'), { readOnly: true });
  const folder = tempFolder();
  const target = new DatabaseSync(join(folder, 'copy.db'));
  target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const ddl = source.prepare(
    'SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid',
  );
  const work = TABLES.map((table) => {
    for (const { sql } of ddl.all(table)) target.exec(sql);
    // Generated columns are not written by anybody; pragma_table_info leaves them out.
    const columns = source.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const names = columns.map((column) => column.name).join(', ');
    const rows = source.prepare(`SELECT ${names} FROM ${table}`).all().map(Object.values);
    const values = columns.map(() => '?').join(', ');
    return { rows, insert: target.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`) };
  });
  source.close();
  const place = (rows, part) => Math.floor((rows.length * part) / parts);
  return {
    write(from, to) {
      target.exec('BEGIN IMMEDIATE');
      for (const { rows, insert } of work)
        for (let r = place(rows, from); r < place(rows, to); r += 1) insert.run(...rows[r]);
      target.exec('COMMIT');
    },
    close() {
      target.close();
      removeFolder(folder);
    },
  };
}
