import type { ValueChange } from '../columns/columns.js';
import { completionRows } from './completion-rows.js';
import { CHUNK_BITS } from '../columns/container.js';
import { changedContainer, listOf, LONGEST_LIST } from '../columns/stored-container.js';
import type { IndexFile } from '../index-file.js';
import type { KnownPosting, KnownPostings } from './known-postings.js';
import { RowBuffer, rowInsert } from './row-buffer.js';
import { foldOf, HAS_VALUE, type TermValue } from '../columns/terms.js';

interface Change {
  added: number[];
  removed: number[];
}

/** Of most changes one side: it is never written to. */
const NONE: number[] = [];

/** What is known of a field while its values are written. */
interface FieldChanges {
  readonly name: string;
  readonly id: number;
  readonly values: Map<TermValue, Change>;
  /** Whether the last value of it was there before: others of the same field mostly are, or are not. */
  shared: boolean;
}

/** A value of one document that is taken for new. */
interface Guess {
  readonly field: FieldChanges;
  readonly value: TermValue;
  readonly added: number[];
}

const LOOK_UP = `SELECT doc, posting, length(docs) FROM term
  LEFT JOIN posting ON posting.id = term.posting AND chunk = ? WHERE field = ? AND value = ?`;
const TERMS = rowInsert(
  'INSERT OR FAIL INTO term (doc, posting, field, value, fold)',
  5,
  'ON CONFLICT DO NOTHING',
);
const SHARED = rowInsert(
  'INSERT OR FAIL INTO term (field, value, posting)',
  3,
  'ON CONFLICT DO UPDATE SET doc = NULL, posting = excluded.posting',
);
const LISTS = rowInsert(
  'INSERT OR FAIL INTO posting (id, chunk, docs)',
  3,
  'ON CONFLICT DO UPDATE SET docs = CAST(docs || excluded.docs AS BLOB)',
);
const PUT_CONTAINER = 'INSERT OR REPLACE INTO posting (id, chunk, docs) VALUES (?, ?, ?)';
const COMPLETIONS = rowInsert('INSERT OR FAIL INTO completion (field, kind, size, token, value)', 5);

/**
 * Collects the terms that documents gain and lose, and writes them together: a value that a whole batch shares
 * costs one write.
 */
export class PostingWriter {
  private readonly fields = new Map<string, FieldChanges>();
  /** The last document number of what is written already. */
  private last: number;
  private readonly terms: RowBuffer;
  /** Those of `terms` that may be there before. */
  private readonly guesses: Array<Guess | undefined> = [];
  /** Values of one document that several have by now. */
  private readonly shared: RowBuffer;
  /** New lists, and what comes to the end of others. */
  private readonly lists: RowBuffer;
  private readonly completions: RowBuffer;

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
    this.terms = new RowBuffer(file, TERMS, (changed, rows) => this.settle(changed, rows));
    this.shared = new RowBuffer(file, SHARED);
    this.lists = new RowBuffer(file, LISTS);
    this.completions = new RowBuffer(file, COMPLETIONS);
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

  /** Writes what was collected, and answers what changed. */
  flush(): ValueChange[] {
    const changes: ValueChange[] = [];
    for (const [name, field] of this.fields) {
      const listed = !this.unlisted.has(name);
      // Not `for`: V8 would compile the loop, with all that is called in it, anew for each batch.
      field.values.forEach(({ added, removed }, value) => {
        this.apply(field, value, added, removed);
        if (listed && value !== HAS_VALUE) {
          changes.push([name, typeof value === 'object' ? null : value, added, removed]);
        }
      });
      field.values.clear();
    }
    // What proves not to be new comes to the others.
    for (const rows of [this.terms, this.shared, this.lists, this.completions]) rows.write();
    this.last = this.lastDoc();
    return changes;
  }

  private field(name: string): FieldChanges {
    let field = this.fields.get(name);
    if (!field) {
      const id =
        this.file.row<[number]>('SELECT id FROM field WHERE name = ?', name)?.[0] ??
        this.file.run('INSERT INTO field (name) VALUES (?)', name);
      this.fields.set(name, (field = { name, id, values: new Map(), shared: true }));
    }
    return field;
  }

  private lastDoc(): number {
    return this.file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
  }

  private apply(field: FieldChanges, value: TermValue, added: number[], removed: number[]): void {
    if (removed.length === 0) {
      const known = this.known.of(field.id, value);
      if (known && this.append(known, added)) {
        field.shared = true;
        return;
      }
      if (!known && !field.shared && added.length === 1) {
        this.insert(field, value, added[0]!, null, { field, value, added });
        return;
      }
    }
    this.change(field, value, added, removed);
  }

  /** Like {@link apply}, of a value that has to be looked up. @param guess what may have written it just now */
  private change(
    field: FieldChanges,
    value: TermValue,
    added: number[],
    removed: number[],
    guess?: Guess,
  ): void {
    const chunk = chunkOf(added.at(-1) ?? 0);
    const term = this.file.row<[doc: number | null, posting: number | null, bytes: number | null]>(
      LOOK_UP,
      chunk,
      field.id,
      value,
    );
    const [doc = null, id = null, bytes] = term ?? [];
    field.shared = term !== undefined;
    if (guess && doc === added[0]) {
      field.shared = false;
      this.complete(field, value);
      return;
    }
    if (id !== null) {
      const posting = { id, chunk, bytes: bytes ?? 0 };
      if (removed.length === 0 && this.append(posting, added)) this.known.keep(field.id, value, posting);
      else {
        this.known.drop(field.id, value);
        if (this.changeContainers(id, added, removed)) this.dropTerm(field, value);
      }
      return;
    }
    const docs = new Set(added);
    if (doc !== null && !removed.includes(doc)) docs.add(doc);
    if (docs.size === 0) {
      if (term) this.dropTerm(field, value);
      return;
    }
    if (docs.size > 1) {
      const posting = this.newPosting([...docs]);
      this.known.keep(field.id, value, posting);
      if (term) this.shared.add(field.id, value, posting.id);
      else this.insert(field, value, null, posting.id);
      return;
    }
    const [single] = [...docs];
    if (!term) this.insert(field, value, single!, null);
    else this.file.run('UPDATE term SET doc = ? WHERE field = ? AND value = ?', single!, field.id, value);
  }

  /** The documents that came after all that are in sets can go on a list where it ended. Answers whether they do. */
  private append(posting: KnownPosting, added: readonly number[]): boolean {
    const chunk = chunkOf(added[0]!);
    let before = this.last;
    for (const doc of added) {
      if (doc <= before || chunkOf(doc) !== chunk) return false;
      before = doc;
    }
    const bytes = (chunk === posting.chunk ? posting.bytes : 0) + 2 * added.length;
    if (bytes >= LONGEST_LIST) return false;
    const list = added.length > 1 ? listOf(added) : this.listOfOne(added[0]!);
    this.lists.add(posting.id, chunk, list);
    posting.chunk = chunk;
    posting.bytes = bytes;
    return true;
  }

  /** The last list of one document: mostly it comes to several values. */
  private single = 0;
  private singleList = listOf([0]);

  private listOfOne(doc: number): Uint8Array {
    if (doc !== this.single) {
      this.single = doc;
      this.singleList = listOf([doc]);
    }
    return this.singleList;
  }

  /** @param guess of a value that may be there already */
  private insert(
    field: FieldChanges,
    value: TermValue,
    doc: number | null,
    posting: number | null,
    guess?: Guess,
  ): void {
    // It is written, and looked at, with the row that fills the buffer.
    this.guesses.push(guess);
    if (!guess) this.complete(field, value);
    this.terms.add(doc, posting, field.id, value, foldOf(value));
  }

  /** Looks after guesses that were written: where all rows were, each value was new. */
  private settle(changed: number, rows: number): void {
    for (const guess of this.guesses.splice(0, rows)) {
      if (!guess) continue;
      const { field, value, added } = guess;
      if (changed < rows) this.change(field, value, added, NONE, guess);
      else this.complete(field, value);
    }
  }

  /** Texts are completed to the value from now on. */
  private complete({ id, name }: FieldChanges, value: TermValue): void {
    if (typeof value !== 'string' || !this.completed.has(name)) return;
    for (const { kind, size, token } of completionRows(value))
      this.completions.add(id, kind, size, token, value);
  }

  private dropTerm({ id, name }: FieldChanges, value: TermValue): void {
    this.known.drop(id, value);
    this.file.run('DELETE FROM term WHERE field = ? AND value = ?', id, value);
    if (typeof value !== 'string' || !this.completed.has(name)) return;
    const sql =
      'DELETE FROM completion WHERE field = ? AND kind = ? AND size = ? AND token = ? AND value = ?';
    for (const { kind, size, token } of completionRows(value))
      this.file.run(sql, id, kind, size, token, value);
  }

  private lastPosting: number | undefined;

  /** A new list of the documents, which are sorted. */
  private newPosting(docs: number[]): KnownPosting {
    this.lastPosting ??= this.file.row<[number | null]>('SELECT max(id) FROM posting')?.[0] ?? 0;
    const posting = { id: ++this.lastPosting, chunk: 0, bytes: 0 };
    docs.sort((a, b) => a - b);
    for (const [chunk, some] of Map.groupBy(docs, chunkOf)) {
      const isList = 2 * some.length < LONGEST_LIST;
      const container = isList ? listOf(some) : changedContainer(undefined, some, []);
      this.lists.add(posting.id, chunk, container);
      posting.chunk = chunk;
      posting.bytes = container.length;
    }
    return posting;
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
