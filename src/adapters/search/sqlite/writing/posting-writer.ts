import type { ValueChange } from '../columns/columns.js';
import { completionRows } from './completion-rows.js';
import { changedContainer, CHUNK_BITS, listOf, LONGEST_LIST } from '../columns/doc-set.js';
import type { IndexFile } from '../index-file.js';
import type { KnownPostings } from './known-postings.js';
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
/** The same where the number of the posting list is known. */
const APPEND_TO = `UPDATE posting SET docs = CAST(docs || ?1 AS BLOB)
  WHERE id = ?2 AND chunk = ?3 AND length(docs) + length(?1) < ${LONGEST_LIST}`;
const INSERT_TERM = `INSERT INTO term (doc, posting, field, value, fold) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;
const PUT_CONTAINER = 'INSERT OR REPLACE INTO posting (id, chunk, docs) VALUES (?, ?, ?)';

/** Values of a row of completions, and of all rows that one statement writes. */
const COMPLETION = 5;
const MANY_COMPLETIONS = 16 * COMPLETION;
const INSERT_COMPLETION = 'INSERT INTO completion VALUES (?, ?, ?, ?, ?)';
const INSERT_COMPLETIONS = `${INSERT_COMPLETION}${', (?, ?, ?, ?, ?)'.repeat(15)}`;

/**
 * Collects the terms that documents gain and lose, and writes them together: a value that a whole batch shares
 * costs one write.
 */
export class PostingWriter {
  private readonly fields = new Map<string, FieldChanges>();
  /** The last document number of what is written already. */
  private last: number;

  /**
   * @param completed fields whose values a text may be completed to
   * @param unlisted fields whose changes are not told
   * @param known what earlier ones of the same file have written
   */
  constructor(
    private readonly file: IndexFile,
    private readonly completed: ReadonlySet<string>,
    private readonly unlisted: ReadonlySet<string>,
    private readonly known: KnownPostings,
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
      const listed = !this.unlisted.has(name);
      // Not `for`: V8 would compile the loop, with all that is called in it, anew for each batch.
      field.values.forEach(({ added, removed }, value) => {
        field.shared = this.apply(name, value, added, removed, field.shared);
        if (listed && value !== HAS_VALUE) {
          changes.push([name, typeof value === 'object' ? null : value, added, removed]);
        }
      });
      field.values.clear();
    }
    this.writeCompletions();
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
      this.known.keep(field, value, term[1]);
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
    if (posting !== null) {
      this.writePosting(posting, [...docs]);
      this.known.keep(field, value, posting);
    }
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
    const known = this.known.of(field, value);
    if (known !== undefined) return this.file.changed(APPEND_TO, listOf(added), known, chunk) > 0;
    return this.file.changed(APPEND, listOf(added), field, value, chunk) > 0;
  }

  /** Answers whether the value is new. */
  private insertTerm(name: string, value: TermValue, doc: number | null, posting: number | null): boolean {
    if (this.file.changed(INSERT_TERM, doc, posting, this.fieldId(name), value, foldOf(value)) === 0)
      return false;
    if (typeof value === 'string' && this.completed.has(name))
      for (const { kind, size, token } of completionRows(value))
        this.completions.push(this.fieldId(name), kind, size, token, value);
    return true;
  }

  /** Many rows a statement: most of what one row costs is the statement. */
  private writeCompletions(): void {
    const { completions } = this;
    let from = 0;
    for (; from + MANY_COMPLETIONS <= completions.length; from += MANY_COMPLETIONS)
      this.file.run(INSERT_COMPLETIONS, ...completions.slice(from, from + MANY_COMPLETIONS));
    for (; from < completions.length; from += COMPLETION)
      this.file.run(INSERT_COMPLETION, ...completions.slice(from, from + COMPLETION));
    completions.length = 0;
  }

  private dropTerm(name: string, value: TermValue): void {
    this.known.drop(this.fieldId(name), value);
    this.file.run('DELETE FROM term WHERE field = ? AND value = ?', this.fieldId(name), value);
    if (typeof value !== 'string' || !this.completed.has(name)) return;
    const sql =
      'DELETE FROM completion WHERE field = ? AND kind = ? AND size = ? AND token = ? AND value = ?';
    for (const { kind, size, token } of completionRows(value))
      this.file.run(sql, this.fieldId(name), kind, size, token, value);
  }

  /** Rows that are to be written, one after the other. */
  private readonly completions: Array<string | number> = [];
  private lastPosting: number | undefined;

  private newPosting(): number {
    this.lastPosting ??= this.file.row<[number | null]>('SELECT max(id) FROM posting')?.[0] ?? 0;
    return ++this.lastPosting;
  }

  /** Writes the first documents of a posting list. */
  private writePosting(posting: number, docs: readonly number[]): void {
    for (const [chunk, some] of Map.groupBy(docs, chunkOf))
      this.file.run(PUT_CONTAINER, posting, chunk, changedContainer(undefined, some, []));
  }

  /** Answers whether nothing is left. */
  private changeContainers(posting: number, added: readonly number[], removed: readonly number[]): boolean {
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
        this.file.run(PUT_CONTAINER, posting, chunk, after);
      } else {
        this.file.run('DELETE FROM posting WHERE id = ? AND chunk = ?', posting, chunk);
        emptied = true;
      }
    }
    return emptied && !this.file.row('SELECT 1 FROM posting WHERE id = ? LIMIT 1', posting);
  }
}

function chunkOf(doc: number): number {
  return doc >>> CHUNK_BITS;
}
