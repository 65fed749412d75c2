import type { DocSet } from './doc-set.js';
import type { Steps } from '../steps.js';

/** Counts something of some documents. */
export interface Counter {
  /** Those whose columns it reads. */
  readonly fields: readonly string[];
  /** Adds a document, or takes it away again. Its columns are as they were or are then. */
  count(doc: number, by: 1 | -1): void;
}

/** Some documents, and what was counted of all of them. */
export class CountedDocs {
  private readonly counters = new Map<string, Counter>();

  constructor(
    /** Not to be changed by others. */
    public docs: DocSet,
    public size = docs.size,
  ) {}

  /**
   * The counter of that name, which has counted all of the documents and follows them from then on.
   * @param make makes one that has; answers whether to keep it with it
   */
  *counter<C extends Counter>(name: string, make: () => Steps<{ counter: C; keep: boolean }>): Steps<C> {
    const known = this.counters.get(name);
    if (known) return known as C;
    const { counter, keep } = yield* make();
    if (keep) this.counters.set(name, counter);
    return counter;
  }

  /** To be called when the column of the field is another one from now on. */
  forget(field: string): void {
    for (const [name, { fields }] of this.counters) if (fields.includes(field)) this.counters.delete(name);
  }

  /** To be called before the columns change in a document. */
  leave(doc: number): void {
    if (!this.docs.has(doc)) return;
    this.docs.delete(doc);
    this.count(doc, -1);
  }

  /** Adds a document that is not among them. */
  add(doc: number): void {
    this.docs.add(doc);
    this.count(doc, 1);
  }

  private count(doc: number, by: 1 | -1): void {
    this.size += by;
    for (const counter of this.counters.values()) counter.count(doc, by);
  }
}
