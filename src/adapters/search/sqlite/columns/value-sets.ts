import type { ColumnValue } from './column.js';
import type { DocSet } from './doc-set.js';

/** So many bytes of sets are kept. */
const MOST_BYTES = 8 * 1024 * 1024;

interface Kept {
  docs: DocSet;
  bytes: number;
}

/** The documents of values that were asked for, kept up to date; those asked for longest ago go first. */
export class ValueSets {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  /** For the caller to change. @param read reads them when they are not known */
  docs(field: string, value: ColumnValue, read: () => DocSet): DocSet {
    const key = keyOf(field, value);
    const docs = this.kept.get(key)?.docs ?? read();
    this.keep(key, docs);
    return docs.copy();
  }

  change(field: string, value: ColumnValue, added: readonly number[], removed: readonly number[]): void {
    const key = keyOf(field, value);
    const known = this.kept.get(key);
    if (!known) return;
    for (const doc of removed) known.docs.delete(doc);
    for (const doc of added) known.docs.add(doc);
    this.keep(key, known.docs);
  }

  clear(): void {
    this.kept.clear();
    this.bytes = 0;
  }

  private keep(key: string, docs: DocSet): void {
    this.drop(key);
    const kept = { docs, bytes: 2 * key.length + 200 + docs.bytes };
    this.kept.set(key, kept);
    this.bytes += kept.bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
  }
}

/** A number and the text of it are two values. */
function keyOf(field: string, value: ColumnValue): string {
  return JSON.stringify([field, value]);
}
