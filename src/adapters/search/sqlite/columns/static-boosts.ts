import { STATIC_BOOST_FIELD } from '../../../../catalog/search/index.js';
import type { BaseScope } from './base-scope.js';
import type { Column } from './column.js';
import type { Counter } from './counted-docs.js';
import { DocSet } from './doc-set.js';

/** The documents of a scope by their static boost, which takes few values. */
export class StaticBoosts implements Counter {
  readonly fields = [STATIC_BOOST_FIELD];
  /** By set of the column. */
  private readonly sets: DocSet[] = [];

  constructor(
    private readonly column: Column,
    scope: BaseScope,
  ) {
    const docs = scope.docs.toArray();
    for (let i = 0; i < docs.length; i++) this.at(docs[i]!).add(docs[i]!);
  }

  count(doc: number, by: 1 | -1): void {
    if (by > 0) this.at(doc).add(doc);
    else this.at(doc).delete(doc);
  }

  /** Calls back for each boost; 0 stands for none. The documents are not to be changed. */
  forEach(visit: (boost: number, docs: DocSet) => void): void {
    this.sets.forEach((docs, set) => {
      const [ordinal] = this.column.ordinalsOf(set);
      visit(ordinal === undefined ? 0 : Number(this.column.values[ordinal]), docs);
    });
  }

  private at(doc: number): DocSet {
    return (this.sets[this.column.setAt(doc)] ??= new DocSet());
  }
}
