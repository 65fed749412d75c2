import type { ValueChange } from './columns.js';
import { completionRows } from './completion-rows.js';
import { changedContainer, CHUNK_BITS } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import { foldOf, HAS_VALUE, type DocumentTerm, type TermValue } from './terms.js';

interface Change extends DocumentTerm {
  added: Set<number>;
  removed: Set<number>;
}

/**
 * Collects the terms that documents gain and lose, and writes them together: a value that a whole batch shares
 * costs one write.
 */
export class PostingWriter {
  private readonly changes = new Map<string, Change>();

  /** @param completed fields whose values a text may be completed to */
  constructor(
    private readonly file: IndexFile,
    private readonly completed: ReadonlySet<string>,
  ) {}

  add(key: string, term: DocumentTerm, doc: number): void {
    const change = this.change(key, term);
    if (!change.removed.delete(doc)) change.added.add(doc);
  }

  remove(key: string, term: DocumentTerm, doc: number): void {
    const change = this.change(key, term);
    if (!change.added.delete(doc)) change.removed.add(doc);
  }

  /** Answers what changed. */
  flush(): ValueChange[] {
    const changes: ValueChange[] = [];
    for (const change of this.changes.values()) {
      const { field, value } = change;
      const [added, removed] = [[...change.added], [...change.removed]];
      if (added.length === 0 && removed.length === 0) continue;
      this.apply(field, value, added, removed);
      if (value !== HAS_VALUE) {
        changes.push([field, typeof value === 'object' ? null : value, added, removed]);
      }
    }
    this.changes.clear();
    return changes;
  }

  private change(key: string, { field, value }: DocumentTerm): Change {
    let change = this.changes.get(key);
    if (!change) this.changes.set(key, (change = { field, value, added: new Set(), removed: new Set() }));
    return change;
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

  private apply(name: string, value: TermValue, added: number[], removed: number[]): void {
    const field = this.fieldId(name);
    const term = this.file.row<[number | null, number | null]>(
      'SELECT doc, posting FROM term WHERE field = ? AND value = ?',
      field,
      value,
    );
    if (term && term[1] !== null) {
      if (this.changeContainers(term[1], added, removed)) {
        this.dropTerm(name, value);
      }
      return;
    }
    const docs = new Set(added);
    if (term && term[0] !== null && !removed.includes(term[0])) docs.add(term[0]);
    if (docs.size === 0) {
      if (term) this.dropTerm(name, value);
      return;
    }
    const single = docs.size === 1 ? [...docs][0]! : null;
    const posting = single === null ? this.newPosting() : null;
    if (posting !== null) this.changeContainers(posting, [...docs], []);
    const sql = term
      ? 'UPDATE term SET doc = ?, posting = ? WHERE field = ? AND value = ?'
      : 'INSERT INTO term (doc, posting, field, value, fold) VALUES (?, ?, ?, ?, ?)';
    this.file.run(sql, single, posting, field, value, ...(term ? [] : [foldOf(value)]));
    if (!term) this.changeCompletions('INSERT INTO completion VALUES (?, ?, ?, ?, ?)', name, value);
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
