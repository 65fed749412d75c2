import type { Column } from './column.js';
import { DocSet } from './doc-set.js';

/** The documents of some entity types, and how many of them have which values: what most searches start from. */
export class BaseScope {
  size = 0;
  /** By field, then by the number of a set of values in its column. */
  private readonly totals = new Map<string, number[]>();

  private constructor(
    private readonly types: ReadonlySet<string>,
    private readonly includeRemoved: boolean,
    /** Not to be changed by others. */
    readonly docs: DocSet,
  ) {}

  /**
   * @param types names as the documents have them
   * @param type column of the entity type
   * @param removed column of the mark of soft-deleted documents
   * @param last number of a document
   */
  static of(
    types: ReadonlySet<string>,
    includeRemoved: boolean,
    [type, removed]: readonly [Column, Column],
    last: number,
  ): BaseScope {
    const scope = new BaseScope(types, includeRemoved, DocSet.upTo(last));
    const wanted = type.setsWith((value) => types.has(String(value)));
    const unwanted = removed.setsWith((value) => !includeRemoved && value === 'true');
    for (let doc = 0; doc <= last; doc++) {
      if (!wanted.has(type.setAt(doc)) || unwanted.has(removed.setAt(doc))) continue;
      scope.docs.add(doc);
      scope.size++;
    }
    return scope;
  }

  /** How many of the documents have each set of values of the column. */
  totalsOf(field: string, column: Column): number[] {
    let totals = this.totals.get(field);
    if (!totals) {
      totals = new Array<number>(column.setCount).fill(0);
      for (const [set, count] of column.tally(this.docs.toArray())) totals[set] = count;
      this.totals.set(field, totals);
    }
    return totals;
  }

  forget(field: string): void {
    this.totals.delete(field);
  }

  /** To be called before the columns change in a document. */
  leave(doc: number, columns: ReadonlyMap<string, Column>): void {
    if (!this.docs.has(doc)) return;
    this.docs.delete(doc);
    this.count(doc, columns, -1);
  }

  /** To be called when they have. */
  enter(doc: number, columns: ReadonlyMap<string, Column>, [type, removed]: readonly [Column, Column]): void {
    if (!type.valuesOf(doc).some((value) => this.types.has(String(value)))) return;
    if (!this.includeRemoved && removed.valuesOf(doc).includes('true')) return;
    this.docs.add(doc);
    this.count(doc, columns, 1);
  }

  private count(doc: number, columns: ReadonlyMap<string, Column>, by: 1 | -1): void {
    this.size += by;
    for (const [field, totals] of this.totals) {
      const column = columns.get(field);
      if (!column) {
        this.totals.delete(field);
        continue;
      }
      while (totals.length < column.setCount) totals.push(0);
      totals[column.setAt(doc)]! += by;
    }
  }
}
