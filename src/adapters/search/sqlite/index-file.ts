import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Checkpoints, FollowedFile } from '../../../catalog/store/index.js';

/** Raise when the tables below change: an index file of another layout is thrown away and built anew. */
const LAYOUT = '3';

/**
 * - `doc`: one row per URN; without a body it is a tombstone. `standing` is out of the body, which is long.
 * - `term`: each distinct value of each field. A value of one document has its number in `doc`; of several, the
 *   number of its `posting`. `fold` is the lower-case form where it differs. Values are text or numbers; two BLOBs
 *   mark "has any value" and "has values too long for this table" (see `terms.ts`).
 * - `posting`: containers of document numbers, see `doc-set.ts`.
 * - `completion`: the values that texts are completed to, by the tokens that may begin with what was typed; a row
 *   stands as long as its term does, see `completion-rows.ts`.
 * - `words`: tokens made by the kernel. FTS5 only has to split them at blanks, which `ascii` does: it takes every
 *   character beyond ASCII for a letter. `vocabulary` is the list of them.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE field (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE doc (id INTEGER PRIMARY KEY, urn TEXT NOT NULL UNIQUE, entity TEXT NOT NULL,
    sequence INTEGER NOT NULL, standing REAL, body TEXT);
  CREATE TABLE term (field INTEGER NOT NULL, value NOT NULL, fold TEXT, doc INTEGER, posting INTEGER,
    PRIMARY KEY (field, value)) WITHOUT ROWID;
  CREATE TABLE posting (id INTEGER NOT NULL, chunk INTEGER NOT NULL, docs BLOB NOT NULL,
    PRIMARY KEY (id, chunk)) WITHOUT ROWID;
  CREATE TABLE completion (field INTEGER NOT NULL, kind INTEGER NOT NULL, size INTEGER NOT NULL,
    token TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (field, kind, size, token, value)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5(whole, name, text, minor,
    content='', contentless_delete=1, tokenize='ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
`;

/** SQLite's own index of the unique URNs. It holds all that a walk over URNs needs, without the bodies. */
export const URN_INDEX = 'sqlite_autoindex_doc_1';

/** The database file of the index: its connection, its tables, its statements kept ready. */
export class IndexFile {
  private db: DatabaseSync;
  private dataVersion: number | undefined;
  private readonly statements = new Map<string, StatementSync>();
  private readonly followed: FollowedFile | undefined;

  /**
   * @param path of the file, or `:memory:`
   * @param checkpoints who may make the checkpoints elsewhere; by default they are made after the commits
   */
  constructor(path: string, checkpoints?: Checkpoints) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    try {
      this.db = open(path);
    } catch (error) {
      if (!isDamaged(error) || path === ':memory:') throw error;
      // Nothing is lost with it: the store has it all.
      for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
      this.db = open(path);
    }
    if (path === ':memory:') return;
    this.followed = checkpoints?.follow({
      file: path,
      checkpointAt: (pages) => this.db.exec(`PRAGMA wal_autocheckpoint = ${pages}`),
    });
  }

  /** Whether the tables are there and were filled, all of them, under that fingerprint; makes them anew otherwise. */
  prepare(fingerprint: string): { complete: boolean } {
    const wanted = `${LAYOUT} ${fingerprint}`;
    return this.write(() => {
      const known = this.db.prepare(`SELECT name FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
      if (known && this.row<[string]>(`SELECT value FROM meta WHERE key = 'shape'`)?.[0] === wanted) {
        return { complete: this.row(`SELECT 1 FROM meta WHERE key = 'complete'`) !== undefined };
      }
      this.statements.clear();
      for (const table of ['vocabulary', 'words', 'completion', 'posting', 'term', 'doc', 'field', 'meta']) {
        this.db.exec(`DROP TABLE IF EXISTS ${table}`);
      }
      this.db.exec(TABLES);
      this.run(`INSERT INTO meta VALUES ('shape', ?)`, wanted);
      return { complete: false };
    });
  }

  /** Whether another connection has written since this was asked last. */
  changedElsewhere(): boolean {
    const [version] = this.row<[number]>('PRAGMA data_version')!;
    const changed = version !== this.dataVersion;
    this.dataVersion = version;
    return changed;
  }

  markComplete(): void {
    this.run(`INSERT OR REPLACE INTO meta VALUES ('complete', '1')`);
  }

  /** The statement of that text, prepared once; rows come as arrays. */
  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  row<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R | undefined {
    return this.statement(sql).get(...params) as unknown as R | undefined;
  }

  /** Rows, one at a time. Another use of the same statement meanwhile would end the walk. */
  rows<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): IterableIterator<R> {
    return this.statement(sql).iterate(...params) as unknown as IterableIterator<R>;
  }

  /** Like `rows`, on a statement of its own: for walks that may run inside each other. */
  walk<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): IterableIterator<R> {
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    return statement.iterate(...params) as unknown as IterableIterator<R>;
  }

  all<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R[] {
    return this.statement(sql).all(...params) as unknown as R[];
  }

  run(sql: string, ...params: SqlParam[]): number {
    return Number(this.statement(sql).run(...params).lastInsertRowid);
  }

  /** All of `work` or nothing of it. */
  write<T>(work: () => T): T {
    const result = this.transaction('BEGIN IMMEDIATE', work);
    this.followed?.written();
    return result;
  }

  /** One state of the index throughout, whatever another process writes meanwhile. */
  read<T>(work: () => T): T {
    return this.transaction('BEGIN', work);
  }

  close(): void {
    this.statements.clear();
    if (!this.db.isOpen) return;
    this.followed?.release();
    this.db.close();
  }

  private transaction<T>(begin: string, work: () => T): T {
    this.db.exec(begin);
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }
}

export type SqlParam = string | number | Uint8Array | null;

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    // A lost tail of the log is repaired from the store, so no write waits for the disk.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192;');
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 16777216;');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isDamaged(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode;
  return code === 11 || code === 26;
}
