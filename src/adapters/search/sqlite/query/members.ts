import { CHUNK_BITS } from '../columns/container.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { byUrn } from './ordering.js';
import type { Steps } from '../steps.js';
import type { TermReader } from './term-reader.js';

/** A walk through the order of URNs looks at one of so many documents, before sets are met with each other. */
const WALKED = 256;
/** At one of so many where it is known in which steps of the order they may stand. */
const WALKED_WITHIN = 32;
/** Where there are so few chunks, sets are met with each other at once. */
const FEW_CHUNKS = 4;

/** The documents that are in all sets of one of the lists. The sets are not to be changed. */
export class Members {
  private known: ReadonlyArray<readonly DocSet[]> | undefined;
  private met: DocSet | undefined;

  /** @param make called when they are looked at */
  constructor(private readonly make: () => ReadonlyArray<readonly DocSet[]>) {}

  get parts(): ReadonlyArray<readonly DocSet[]> {
    // The smallest first, as it turns down most.
    return (this.known ??= this.make().map((sets) => sets.toSorted((a, b) => a.size - b.size)));
  }

  /** They are no more than so many. */
  get atMost(): number {
    return this.parts.reduce((sum, [smallest]) => sum + smallest!.size, 0);
  }

  has(doc: number): boolean {
    for (const sets of this.parts) {
      let at = 0;
      while (at < sets.length && sets[at]!.has(doc)) at++;
      if (at === sets.length) return true;
    }
    return false;
  }

  /** About how many they are, from one chunk of so many. */
  estimate(chunks: number): number {
    return this.parts.reduce((sum, sets) => sum + chunks * DocSet.sizeOfAll(sets, chunks >>> 1), 0);
  }

  /** Whether they have been met. */
  get areMet(): boolean {
    return this.met !== undefined;
  }

  /** Those that are in the set as well. */
  within(docs: DocSet): Members {
    return new Members(() => this.parts.map((sets) => [...sets, docs]));
  }

  /** Not to be changed. */
  get docs(): DocSet {
    if (!this.met) {
      this.met = new DocSet();
      for (const sets of this.parts) this.met.or(DocSet.allOf(sets));
    }
    return this.met;
  }
}

/** Members that have a static boost. */
export interface Boosted {
  members: Members;
  docs: DocSet;
}

/**
 * The first `count` in the order of URNs of all that are not on the page. Where they should be found soon, it walks through
 * the order, and only then meets whole sets with each other.
 */
export function* firstOf(
  file: IndexConnection,
  terms: Pick<TermReader, 'last' | 'order' | 'isOrderRead'>,
  all: readonly Boosted[],
  count: number,
  page: readonly number[],
): Steps<number[]> {
  const found = walked(terms, all, count, page);
  if (found) return found;
  yield;
  const equal = new DocSet();
  for (const { members, docs } of all) equal.or(members.docs.copy().and(docs));
  for (const doc of page) equal.delete(doc);
  return equal.isEmpty ? [] : yield* byUrn(file, terms, equal, count);
}

/** What is met on a walk through the order, unless it should be too long. */
function walked(
  terms: Pick<TermReader, 'last' | 'order'>,
  all: readonly Boosted[],
  count: number,
  page: readonly number[],
): number[] | undefined {
  const chunks = (terms.last >>> CHUNK_BITS) + 1;
  if (chunks < FEW_CHUNKS || all.every(({ members }) => members.areMet)) return undefined;
  const boosted = new Members(() => all.flatMap(({ members, docs }) => members.within(docs).parts));
  if (boosted.atMost < count * WALKED || boosted.estimate(chunks) < count * WALKED) return undefined;
  const { last, order } = terms;
  const taken = new Set(page);
  const left = { has: (doc: number) => boosted.has(doc) && !taken.has(doc) };
  // Sets of boosts change with the documents: where these stand is not kept.
  const smallest = all.flatMap(({ members }) => members.parts.map(([first]) => first!));
  if (!order.knowsSteps(smallest)) {
    const soon = order.firstWithin(left, count, last / WALKED);
    if (soon) return soon;
  }
  return order.firstWithin(left, count, last / WALKED_WITHIN, order.stepsOf(smallest));
}
