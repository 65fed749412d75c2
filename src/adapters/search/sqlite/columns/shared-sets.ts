import type { DocSet } from './doc-set.js';

/** Sets of the most frequent callers; each is at most as large as the catalog has documents, in bits. */
const MOST = 32;

/** What one reader found for conditions that many searches share, since the index was written to. */
export class SharedSets {
  private readonly kept = new Map<string, DocSet>();
  private state = NaN;

  /** Forgets everything when this is another state than last time. */
  at(state: number): this {
    if (state !== this.state) this.kept.clear();
    this.state = state;
    return this;
  }

  /** Not to be changed by others. */
  get(key: string): DocSet | undefined {
    const docs = this.kept.get(key);
    if (docs === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, docs);
    return docs;
  }

  keep(key: string, docs: DocSet): void {
    if (this.kept.size >= MOST) this.kept.delete(this.kept.keys().next().value!);
    this.kept.set(key, docs);
  }
}
