import { changedContainer, CHUNK_BITS } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import { foldOf, type DocumentTerm, type TermValue } from './terms.js';

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

  constructor(private readonly file: IndexFile) {}

  add(key: string, term: DocumentTerm, doc: number): void {
    const change = this.change(key, term);
    if (!change.removed.delete(doc)) change.added.add(doc);
  }

  remove(key: string, term: DocumentTerm, doc: number): void {
    const change = this.change(key, term);
    if (!change.added.delete(doc)) change.removed.add(doc);
  }

  flush(): void {
    for (const { field, value, added, removed } of this.changes.values()) {
      if (added.size > 0 || removed.size > 0) this.apply(this.fieldId(field), value, [...added], [...removed]);
    }
    this.changes.clear();
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

  private apply(field: number, value: TermValue, added: number[], removed: number[]): void {
    const term = this.file.row<[number, number | null]>(
      'SELECT id, doc FROM term WHERE field = ? AND value = ?',
      field,
      value,
    );
    if (!term) {
      if (added.length === 0) return;
      const only = added.length === 1 ? added[0]! : null;
      const id = this.file.run(
        'INSERT INTO term (field, value, fold, doc) VALUES (?, ?, ?, ?)',
        field,
        value,
        foldOf(value),
        only,
      );
      if (only === null) this.changeContainers(id, added, []);
      return;
    }
    const [id, single] = term;
    if (single === null) {
      this.changeContainers(id, added, removed);
      return;
    }
    const docs = new Set(added);
    if (!removed.includes(single)) docs.add(single);
    if (docs.size === 0) this.file.run('DELETE FROM term WHERE id = ?', id);
    else if (docs.size === 1) this.file.run('UPDATE term SET doc = ? WHERE id = ?', [...docs][0]!, id);
    else {
      this.file.run('UPDATE term SET doc = NULL WHERE id = ?', id);
      this.changeContainers(id, [...docs], []);
    }
  }

  private changeContainers(term: number, added: readonly number[], removed: readonly number[]): void {
    const chunkOf = (doc: number) => doc >>> CHUNK_BITS;
    const addedBy = Map.groupBy(added, chunkOf);
    const removedBy = Map.groupBy(removed, chunkOf);
    let emptied = false;
    for (const chunk of new Set([...addedBy.keys(), ...removedBy.keys()])) {
      const before = this.file.row<[Uint8Array]>(
        'SELECT docs FROM posting WHERE term = ? AND chunk = ?',
        term,
        chunk,
      )?.[0];
      const after = changedContainer(before, addedBy.get(chunk) ?? [], removedBy.get(chunk) ?? []);
      if (after.length > 0) {
        this.file.run('INSERT OR REPLACE INTO posting (term, chunk, docs) VALUES (?, ?, ?)', term, chunk, after);
      } else {
        this.file.run('DELETE FROM posting WHERE term = ? AND chunk = ?', term, chunk);
        emptied = true;
      }
    }
    if (emptied && !this.file.row('SELECT 1 FROM posting WHERE term = ? LIMIT 1', term)) {
      this.file.run('DELETE FROM term WHERE id = ?', term);
    }
  }
}
