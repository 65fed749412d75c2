import { KeptBySize } from '../kept-by-size.js';
import type { ColumnValue } from './column.js';
import type { DocSet } from './doc-set.js';

/** So many bytes of sets are kept. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The documents of values that were asked for, kept up to date; those asked for longest ago go first. */
export class ValueSets {
  private readonly kept = new KeptBySize<DocSet>(MOST_BYTES, (docs) => 200 + docs.bytes);

  /** For the caller to change. @param read reads them when they are not known */
  docs(field: string, value: ColumnValue, read: () => DocSet): DocSet {
    const key = keyOf(field, value);
    const docs = this.kept.get(key) ?? read();
    this.kept.keep(key, docs);
    // Counted once, and not in each copy.
    void docs.size;
    return docs.copy();
  }

  change(field: string, value: ColumnValue, added: readonly number[], removed: readonly number[]): void {
    const key = keyOf(field, value);
    const known = this.kept.get(key);
    if (!known) return;
    for (const doc of removed) known.delete(doc);
    for (const doc of added) known.add(doc);
    this.kept.keep(key, known);
  }

  clear(): void {
    this.kept.clear();
  }
}

/** A number and the text of it are two values. */
function keyOf(field: string, value: ColumnValue): string {
  return JSON.stringify([field, value]);
}
