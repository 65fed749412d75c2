import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { isDamage } from './damage.js';
import { IndexConnection, type SqlParam } from './index-connection.js';

/** Raise when the tables below or the tokens change: an index file of another layout is thrown away and built anew. */
const LAYOUT = '5';

/**
 * - `doc`: one row per URN; without a body it is a tombstone. `standing` is out of the body, which is long.
 * - `term`: each distinct value of each field. A value of one document has its number in `doc`; of several, the
 *   number of its `posting`. `fold` is the lower-case form where it differs. Values are text or numbers; two BLOBs
 *   mark "has any value" and "has values too long for this table" (see `terms.ts`).
 * - `posting`: containers of document numbers, see `stored-container.ts`. That they are never null is no constraint, see
 *   `row-buffer.ts`.
 * - `change`: what each of the last writes changed in documents by value, see `columns.ts`, and by word, see
 *   `word-changes.ts`. Every write has one more.
 * - `completion`: the values that texts are completed to, by the tokens that may begin with what was typed; a row
 *   stands as long as its term does, see `completion-rows.ts`.
 * - `words`: tokens made by the kernel. FTS5 only has to split them at blanks, which `ascii` does: it takes every
 *   character beyond ASCII for a letter. `vocabulary` is the list of them; `instance`, which each connection makes for
 *   itself, tells where each token stands.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE field (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE doc (id INTEGER PRIMARY KEY, urn TEXT NOT NULL UNIQUE, entity TEXT NOT NULL,
    sequence INTEGER NOT NULL, standing REAL, body TEXT);
  CREATE TABLE term (field INTEGER NOT NULL, value NOT NULL, fold TEXT, doc INTEGER, posting INTEGER,
    PRIMARY KEY (field, value)) WITHOUT ROWID;
  CREATE TABLE posting (id INTEGER NOT NULL, chunk INTEGER NOT NULL, docs BLOB,
    PRIMARY KEY (id, chunk)) WITHOUT ROWID;
  CREATE TABLE completion (field INTEGER NOT NULL, kind INTEGER NOT NULL, size INTEGER NOT NULL,
    token TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (field, kind, size, token, value)) WITHOUT ROWID;
  CREATE TABLE change (state INTEGER PRIMARY KEY, terms TEXT NOT NULL, words TEXT);
  CREATE VIRTUAL TABLE words USING fts5(whole, name, text, minor,
    content='', contentless_delete=1, tokenize='ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
`;

/** SQLite's own index of the unique URNs. It holds all that a walk over URNs needs, without the bodies. */
export const URN_INDEX = 'sqlite_autoindex_doc_1';

/** How an index file is opened. */
export interface HowOpened {
  /** Read what another connection writes; the file must be there. Default false. */
  readOnly?: boolean;
}

/** The database file of the index, by one connection. */
export class IndexFile {
  private readonly main: IndexConnection;
  private closed = false;
  /** Facts that the next change writes down. */
  private readonly noted = new Map<string, string>();

  /** @param path of the file, or `:memory:` */
  constructor(path: string, { readOnly = false }: HowOpened = {}) {
    if (path !== ':memory:' && !readOnly) mkdirSync(dirname(path), { recursive: true });
    try {
      this.main = new IndexConnection(path, readOnly);
    } catch (error) {
      if (!isDamage(error) || path === ':memory:' || readOnly) throw error;
      // Nothing is lost with it: the store has it all.
      removeFiles(path);
      this.main = new IndexConnection(path);
    }
  }

  get isOpen(): boolean {
    return !this.closed;
  }

  /** Whether the tables are there and were filled, all of them, under that fingerprint; makes them anew otherwise. */
  prepare(fingerprint: string): { complete: boolean } {
    const wanted = `${LAYOUT} ${fingerprint}`;
    return this.write(() => {
      const known = this.main.row(`SELECT name FROM sqlite_schema WHERE name = 'meta'`) !== undefined;
      if (known && this.fact('shape') === wanted) {
        // Files of earlier versions have none.
        this.run(`INSERT OR IGNORE INTO meta VALUES ('made', ?)`, randomUUID());
        return { complete: this.row(`SELECT 1 FROM meta WHERE key = 'complete'`) !== undefined };
      }
      this.main.forgetStatements();
      for (const table of [
        'vocabulary',
        'words',
        'completion',
        'posting',
        'term',
        'doc',
        'field',
        'change',
        'meta',
      ]) {
        this.main.exec(`DROP TABLE IF EXISTS ${table}`);
      }
      this.main.exec(TABLES);
      this.run(`INSERT INTO meta VALUES ('shape', ?), ('made', ?)`, wanted, randomUUID());
      // Another state for each file, so that what was read of one is never taken for what is in another.
      this.run(`INSERT INTO change (state, terms) VALUES (?, '[]')`, Date.now() * 1000);
      return { complete: false };
    });
  }

  get connection(): IndexConnection {
    return this.main;
  }

  /** Tells what is in this file from what is in another one in its place. The tables must be there. */
  get made(): string {
    return this.fact('made') ?? '';
  }

  /** Whether it holds no document; without tables it does not. */
  get isEmpty(): boolean {
    if (this.row(`SELECT 1 FROM sqlite_schema WHERE name = 'doc'`) === undefined) return true;
    return this.row('SELECT 1 FROM doc WHERE body IS NOT NULL LIMIT 1') === undefined;
  }

  fact(key: string): string | undefined {
    return this.row<[string]>('SELECT value FROM meta WHERE key = ?', key)?.[0];
  }

  setFact(key: string, value: string): void {
    this.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
  }

  /** Writes the fact down in the transaction of the next change: it is never there without what it tells of. */
  noteFact(key: string, value: string): void {
    this.noted.set(key, value);
  }

  /** Writes down what was noted and no change has written since. */
  writeNoted(): void {
    if (this.noted.size > 0) this.write(() => undefined);
  }

  markComplete(): void {
    this.run(`INSERT OR REPLACE INTO meta VALUES ('complete', '1')`);
  }

  statement(sql: string): StatementSync {
    return this.main.statement(sql);
  }

  row<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R | undefined {
    return this.main.row<R>(sql, ...params);
  }

  rows<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): IterableIterator<R> {
    return this.main.rows<R>(sql, ...params);
  }

  all<R extends readonly unknown[]>(sql: string, ...params: SqlParam[]): R[] {
    return this.main.all<R>(sql, ...params);
  }

  run(sql: string, ...params: SqlParam[]): number {
    return this.main.run(sql, ...params);
  }

  changed(sql: string, ...params: SqlParam[]): number {
    return this.main.changed(sql, ...params);
  }

  /** All of `work` or nothing of it. */
  write<T>(work: () => T): T {
    const { main } = this;
    main.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      for (const [key, value] of this.noted) this.setFact(key, value);
      main.exec('COMMIT');
      this.noted.clear();
      return result;
    } catch (error) {
      main.end('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.main.close();
  }
}

/** Removes the file with its log. */
export function removeFiles(path: string): void {
  if (path === ':memory:') return;
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}
