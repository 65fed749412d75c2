import type { ValueChange } from '../columns/columns.js';
import { completionRows } from './completion-rows.js';
import { changedContainer, CHUNK_BITS, listOf, LONGEST_LIST } from '../columns/doc-set.js';
import type { IndexFile } from '../index-file.js';
import { foldOf, HAS_VALUE, type TermValue } from '../columns/terms.js';

interface Change {
  added: number[];
  removed: number[];
}

/** Of most changes one side: it is never written to. */
const NONE: number[] = [];

/** What is known of a field while its values are written. */
interface FieldChanges {
  values: Map<TermValue, Change>;
  /** Whether the last value of it was there before: others of the same field mostly are, or are not. */
  shared: boolean;
}

// Statements are found by their text: one that is put together for each value would be hashed and compared each time.
const APPEND = `UPDATE posting SET docs = CAST(docs || ?1 AS BLOB)
  WHERE id = (SELECT posting FROM term WHERE field = ?2 AND value = ?3) AND chunk = ?4
    AND length(docs) + length(?1) < ${LONGEST_LIST}`;
const INSERT_TERM = `INSERT INTO term (doc, posting, field, value, fold) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

/**
 * Collects the terms that documents gain and lose, and writes them together: a value that a whole batch shares
 * costs one write.
 */
export class PostingWriter {
  private readonly fields = new Map<string, FieldChanges>();
  /** The last document number of what is written already. */
  private last: number;

  /** @param completed fields whose values a text may be completed to */
  constructor(
    private readonly file: IndexFile,
    private readonly completed: ReadonlySet<string>,
  ) {
    this.last = this.lastDoc();
  }

  /** A document gains values, or loses one: each of them once between two calls of {@link flush}. */
  add(name: string, values: readonly TermValue[], doc: number): void {
    const field = this.field(name);
    for (const value of values) {
      const change = field.values.get(value);
      // An array that is made with its member has room for that alone; one that it is pushed onto, for seventeen.
      if (!change) field.values.set(value, { added: [doc], removed: NONE });
      else if (change.added === NONE) change.added = [doc];
      else if (change.added.at(-1) !== doc) change.added.push(doc);
    }
  }

  remove(name: string, value: TermValue, doc: number): void {
    const { values } = this.field(name);
    const change = values.get(value);
    if (!change) values.set(value, { added: NONE, removed: [doc] });
    else if (change.removed === NONE) change.removed = [doc];
    else if (change.removed.at(-1) !== doc) change.removed.push(doc);
  }

  /** Answers what changed. */
  flush(): ValueChange[] {
    const changes: ValueChange[] = [];
    for (const [name, field] of this.fields) {
      // Not `for`: V8 would compile the loop, with all that is called in it, anew for each batch.
      field.values.forEach(({ added, removed }, value) => {
        field.shared = this.apply(name, value, added, removed, field.shared);
        if (value !== HAS_VALUE) {
          changes.push([name, typeof value === 'object' ? null : value, added, removed]);
        }
      });
      field.values.clear();
    }
    this.last = this.lastDoc();
    return changes;
  }

  private field(name: string): FieldChanges {
    let field = this.fields.get(name);
    if (!field) this.fields.set(name, (field = { values: new Map(), shared: true }));
    return field;
  }

  private lastDoc(): number {
    return this.file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
  }

  private readonly fieldIds = new Map<string, number>();

  private fieldId(name: string): number {
    let id = this.fieldIds.get(name);
    if (id === undefined) {
      id =
        this.file.row<[number]>('SELECT id FROM field WHERE name = ?', name)?.[0] ??
        this.file.run('INSERT INTO field (name) VALUES (?)', name);
      this.fieldIds.set(name, id);
    }
    return id;
  }

  /** Answers whether the value was there before. @param shared whether that is to be expected */
  private apply(
    name: string,
    value: TermValue,
    added: number[],
    removed: number[],
    shared: boolean,
  ): boolean {
    const field = this.fieldId(name);
    if (removed.length === 0) {
      const chunk = this.chunkToAppendTo(added);
      if (shared && chunk !== undefined && this.append(field, value, chunk, added)) return true;
      if (!shared && added.length === 1 && this.insertTerm(name, value, added[0]!, null)) return false;
    }
    const term = this.file.row<[number | null, number | null]>(
      'SELECT doc, posting FROM term WHERE field = ? AND value = ?',
      field,
      value,
    );
    if (term && term[1] !== null) {
      if (this.changeContainers(term[1], added, removed)) {
        this.dropTerm(name, value);
      }
      return true;
    }
    const docs = new Set(added);
    if (term && term[0] !== null && !removed.includes(term[0])) docs.add(term[0]);
    if (docs.size === 0) {
      if (term) this.dropTerm(name, value);
      return term !== undefined;
    }
    const single = docs.size === 1 ? [...docs][0]! : null;
    const posting = single === null ? this.newPosting() : null;
    if (posting !== null) this.changeContainers(posting, [...docs], []);
    if (!term) this.insertTerm(name, value, single, posting);
    else {
      const sql = 'UPDATE term SET doc = ?, posting = ? WHERE field = ? AND value = ?';
      this.file.run(sql, single, posting, field, value);
    }
    return term !== undefined;
  }

  /** The chunk of documents that came after all that are in sets: a list of them goes on where it ended. */
  private chunkToAppendTo(added: readonly number[]): number | undefined {
    const chunk = added[0]! >>> CHUNK_BITS;
    let before = this.last;
    for (const doc of added) {
      if (doc <= before || doc >>> CHUNK_BITS !== chunk) return undefined;
      before = doc;
    }
    return chunk;
  }

  /** Answers whether there is a list that they could be appended to: that costs one statement instead of three. */
  private append(field: number, value: TermValue, chunk: number, added: readonly number[]): boolean {
    return this.file.changed(APPEND, listOf(added), field, value, chunk) > 0;
  }

  /** Answers whether the value is new. */
  private insertTerm(name: string, value: TermValue, doc: number | null, posting: number | null): boolean {
    if (this.file.changed(INSERT_TERM, doc, posting, this.fieldId(name), value, foldOf(value)) === 0)
      return false;
    this.changeCompletions('INSERT INTO completion VALUES (?, ?, ?, ?, ?)', name, value);
    return true;
  }

  private dropTerm(name: string, value: TermValue): void {
    this.file.run('DELETE FROM term WHERE field = ? AND value = ?', this.fieldId(name), value);
    const sql =
      'DELETE FROM completion WHERE field = ? AND kind = ? AND size = ? AND token = ? AND value = ?';
    this.changeCompletions(sql, name, value);
  }

  private changeCompletions(sql: string, name: string, value: TermValue): void {
    if (typeof value !== 'string' || !this.completed.has(name)) return;
    const field = this.fieldId(name);
    for (const { kind, size, token } of completionRows(value)) {
      this.file.run(sql, field, kind, size, token, value);
    }
  }

  private lastPosting: number | undefined;

  private newPosting(): number {
    this.lastPosting ??= this.file.row<[number | null]>('SELECT max(id) FROM posting')?.[0] ?? 0;
    return ++this.lastPosting;
  }

  /** Answers whether nothing is left. */
  private changeContainers(posting: number, added: readonly number[], removed: readonly number[]): boolean {
    const chunkOf = (doc: number) => doc >>> CHUNK_BITS;
    const addedBy = Map.groupBy(added, chunkOf);
    const removedBy = Map.groupBy(removed, chunkOf);
    let emptied = false;
    for (const chunk of new Set([...addedBy.keys(), ...removedBy.keys()])) {
      const before = this.file.row<[Uint8Array]>(
        'SELECT docs FROM posting WHERE id = ? AND chunk = ?',
        posting,
        chunk,
      )?.[0];
      const after = changedContainer(before, addedBy.get(chunk) ?? [], removedBy.get(chunk) ?? []);
      if (after.length > 0) {
        this.file.run(
          'INSERT OR REPLACE INTO posting (id, chunk, docs) VALUES (?, ?, ?)',
          posting,
          chunk,
          after,
        );
      } else {
        this.file.run('DELETE FROM posting WHERE id = ? AND chunk = ?', posting, chunk);
        emptied = true;
      }
    }
    return emptied && !this.file.row('SELECT 1 FROM posting WHERE id = ? LIMIT 1', posting);
  }
}
