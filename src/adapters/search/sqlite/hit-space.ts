import { CHUNK_BITS, DocSet } from './doc-set.js';

/** Up to so many hits for each chunk of the catalog, testing each is cheaper than work on sets as long as the catalog. */
const FEW = 400;

/** Sets of hits. Few hits are numbered anew, so that the cost of work on them does not depend on the catalog. */
export class HitSpace {
  /** All of them, in the numbers of this space; not to be changed. */
  readonly all: DocSet;
  /** The documents by their new numbers. */
  private readonly docs: Uint32Array | undefined;

  constructor(private readonly hits: DocSet) {
    const { size } = hits;
    if (size > FEW * hits.chunks) {
      this.all = hits;
      return;
    }
    const docs = new Uint32Array(size);
    this.all = new DocSet((size >>> CHUNK_BITS) + 1);
    let at = 0;
    hits.forEach((doc) => {
      this.all.add(at);
      docs[at++] = doc;
    });
    this.docs = docs;
  }

  empty(): DocSet {
    return new DocSet(this.all.chunks);
  }

  /** Those of the documents that are hits; a set of its own. */
  of(documents: DocSet): DocSet {
    const { docs } = this;
    if (!docs) return documents.copy().and(this.all);
    const set = this.empty();
    for (let i = 0; i < docs.length; i++) if (documents.has(docs[i]!)) set.add(i);
    return set;
  }

  /** Calls back with each document of a set of this space, ascending. */
  forEach(set: DocSet, visit: (doc: number) => void): void {
    const { docs } = this;
    if (docs) set.forEach((i) => visit(docs[i]!));
    else set.forEach(visit);
  }
}
