import type { Column } from './column.js';
import { CountedDocs, type Counter } from './counted-docs.js';
import { DocSet } from './doc-set.js';
import { preparedSteps, type Steps } from '../steps.js';

/** The documents of some entity types, and what was counted of all of them: what most searches start from. */
export class BaseScope extends CountedDocs {
  private constructor(
    private readonly types: ReadonlySet<string>,
    private readonly includeRemoved: boolean,
    docs: DocSet,
  ) {
    super(docs);
  }

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
    const docs = new DocSet();
    const wanted = type.setsWith((value) => types.has(String(value)));
    const unwanted = removed.setsWith((value) => !includeRemoved && value === 'true');
    for (let doc = 0; doc <= last; doc++)
      if (wanted.has(type.setAt(doc)) && !unwanted.has(removed.setAt(doc))) docs.add(doc);
    return new BaseScope(types, includeRemoved, docs);
  }

  /** What all searches of the scope use is not charged to the first. */
  override *counter<C extends Counter>(
    name: string,
    make: () => Steps<{ counter: C; keep: boolean }>,
  ): Steps<C> {
    return yield* super.counter(name, () => preparedSteps(make()));
  }

  /** To be called when the columns of a document that has left have changed. */
  enter(doc: number, [type, removed]: readonly [Column, Column]): void {
    if (!type.valuesOf(doc).some((value) => this.types.has(String(value)))) return;
    if (!this.includeRemoved && removed.valuesOf(doc).includes('true')) return;
    this.add(doc);
  }
}
