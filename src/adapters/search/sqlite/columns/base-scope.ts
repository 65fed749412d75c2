import type { Column } from './column.js';
import { DocSet } from './doc-set.js';
import { preparedSteps, type Steps } from '../steps.js';

/** Counts something of the documents of a scope. */
export interface Counter {
  /** Those whose columns it reads. */
  readonly fields: readonly string[];
  /** Adds a document, or takes it away again. Its columns are as they were or are then. */
  count(doc: number, by: 1 | -1): void;
}

/** The documents of some entity types, and what was counted of all of them: what most searches start from. */
export class BaseScope {
  size = 0;
  private readonly counters = new Map<string, Counter>();

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
    const scope = new BaseScope(types, includeRemoved, new DocSet());
    const wanted = type.setsWith((value) => types.has(String(value)));
    const unwanted = removed.setsWith((value) => !includeRemoved && value === 'true');
    for (let doc = 0; doc <= last; doc++) {
      if (!wanted.has(type.setAt(doc)) || unwanted.has(removed.setAt(doc))) continue;
      scope.docs.add(doc);
      scope.size++;
    }
    return scope;
  }

  /**
   * The counter of that name, which has counted all of the documents and follows them from then on.
   * @param make makes one that has; answers whether to keep it with it
   */
  *counter<C extends Counter>(name: string, make: () => Steps<{ counter: C; keep: boolean }>): Steps<C> {
    const known = this.counters.get(name);
    if (known) return known as C;
    const { counter, keep } = yield* preparedSteps(make());
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

  /** To be called when they have. */
  enter(doc: number, [type, removed]: readonly [Column, Column]): void {
    if (!type.valuesOf(doc).some((value) => this.types.has(String(value)))) return;
    if (!this.includeRemoved && removed.valuesOf(doc).includes('true')) return;
    this.docs.add(doc);
    this.count(doc, 1);
  }

  private count(doc: number, by: 1 | -1): void {
    this.size += by;
    for (const counter of this.counters.values()) counter.count(doc, by);
  }
}
