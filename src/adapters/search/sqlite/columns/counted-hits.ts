import { KeptBySize } from '../kept-by-size.js';
import { CountedDocs } from './counted-docs.js';
import type { DocSet } from './doc-set.js';

/** So many bytes of hits and counts are kept. */
const MOST_BYTES = 4 * 1024 * 1024;
/** So many bytes of conditions are kept that were asked for once. */
const MOST_BYTES_ONCE = 256 * 1024;
/** What the counts of a condition take, about. */
const COUNTS = 64 * 1024;
/** When more than one of so many hits is another one, all are counted anew. */
const OTHERS = 8;

interface Kept {
  hits: CountedDocs;
  state: number;
}

/**
 * The hits of conditions that several searches have, with what was counted of them: from the second search on, as most
 * conditions are asked for once. A document that is written leaves all of
 * them; the next search with the condition adds it again if it is a hit. Those asked for longest ago go first.
 */
export class CountedHits {
  private readonly kept = new KeptBySize<Kept>(MOST_BYTES, ({ hits }) => hits.docs.bytes + COUNTS);

  private readonly once = new KeptBySize<true>(MOST_BYTES_ONCE, () => 100);

  /**
   * @param key tells the condition
   * @param docs what matches it now; it must not change from then on
   * @param state of the index
   * @returns undefined when the condition is asked for the first time
   */
  of(key: string, docs: DocSet, state: number): CountedDocs | undefined {
    let kept = this.kept.get(key);
    if (!kept && !this.once.get(key)) {
      this.once.keep(key, true);
      return undefined;
    }
    this.once.drop(key);
    if (!kept || !(kept.state === state || follows(kept.hits, docs)))
      kept = { hits: new CountedDocs(docs), state };
    kept.state = state;
    this.kept.keep(key, kept);
    return kept.hits;
  }

  /** What matches the condition, if it was kept in that state of the index. Not to be changed. */
  known(key: string, state: number): DocSet | undefined {
    const kept = this.kept.get(key);
    return kept?.state === state ? kept.hits.docs : undefined;
  }

  /** To be called before the columns change in a document. */
  leave(doc: number): void {
    for (const { hits } of this.kept.values()) hits.leave(doc);
  }

  /** To be called when the column of the field is another one from now on. */
  forget(field: string): void {
    for (const { hits } of this.kept.values()) hits.forget(field);
  }

  clear(): void {
    this.kept.clear();
  }
}

/** Makes the hits what they are now, unless too many are others. */
function follows(hits: CountedDocs, docs: DocSet): boolean {
  const gone = hits.docs.copy().without(docs);
  const come = docs.copy().without(hits.docs);
  if ((gone.size + come.size) * OTHERS > docs.size) return false;
  gone.forEach((doc) => hits.leave(doc));
  come.forEach((doc) => hits.add(doc));
  // The same documents as another set: what others know of the former one no longer holds.
  hits.docs = docs;
  return true;
}
