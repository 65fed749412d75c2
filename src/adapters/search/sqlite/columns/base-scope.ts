import type { Column } from './column.js';
import { CountedDocs, type Counter } from './counted-docs.js';
import { DocSet } from './doc-set.js';
import { preparedSteps, type Steps } from '../steps.js';

/** What the column of latest versions has of the others. */
export const EARLIER = 'false';

/** What a scope looks at in its documents. */
export interface ScopeColumns {
  /** The entity type. */
  readonly type: Column;
  /** The mark of soft-deleted documents. */
  readonly removed: Column;
  /** Whether a version is the latest of its set. */
  readonly latest: Column;
}

/** Which documents a scope has. */
export interface Wanted {
  /** Names as the documents have them. */
  readonly types: ReadonlySet<string>;
  readonly includeRemoved: boolean;
  readonly latestOnly: boolean;
}

/** The documents of some entity types, and what was counted of all of them: what most searches start from. */
export class BaseScope extends CountedDocs {
  private constructor(
    /** Another one for every other scope. */
    readonly key: string,
    private readonly wanted: Wanted,
    docs: DocSet,
  ) {
    super(docs);
  }

  /** @param last number of a document */
  static of(key: string, wanted: Wanted, { type, removed, latest }: ScopeColumns, last: number): BaseScope {
    const docs = new DocSet();
    const inTypes = type.setsWith((value) => wanted.types.has(String(value)));
    const gone = removed.setsWith((value) => !wanted.includeRemoved && value === 'true');
    const earlier = latest.setsWith((value) => wanted.latestOnly && value === EARLIER);
    for (let doc = 0; doc <= last; doc++) {
      if (!inTypes.has(type.setAt(doc)) || gone.has(removed.setAt(doc))) continue;
      if (earlier.size === 0 || !earlier.has(latest.setAt(doc))) docs.add(doc);
    }
    return new BaseScope(key, wanted, docs);
  }

  /** What all searches of the scope use is not charged to the first. */
  override *counter<C extends Counter>(
    name: string,
    make: () => Steps<{ counter: C; keep: boolean }>,
  ): Steps<C> {
    return yield* super.counter(name, () => preparedSteps(make()));
  }

  /** To be called when the columns of a document that has left have changed. */
  enter(doc: number, { type, removed, latest }: ScopeColumns): void {
    const { types, includeRemoved, latestOnly } = this.wanted;
    if (!type.valuesOf(doc).some((value) => types.has(String(value)))) return;
    if (!includeRemoved && removed.valuesOf(doc).includes('true')) return;
    if (latestOnly && latest.valuesOf(doc).includes(EARLIER)) return;
    this.add(doc);
  }
}
