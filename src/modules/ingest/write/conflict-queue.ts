import type { ChangeProposal } from '../../../catalog/change/index.js';

interface Waiting<U> {
  submission: U;
  /** The entities that it writes. */
  urns: ReadonlySet<string>;
}

/**
 * Submissions that wait for a transaction, in the order in which they came. A submission that writes an entity of a running
 * transaction waits here: in a transaction of its own it would only wait for the lock, and make the others of that
 * transaction wait with it. Submissions behind it that do not conflict overtake it.
 */
export class ConflictQueue<U extends { proposals: readonly ChangeProposal[] }> {
  private line: Array<Waiting<U>> = [];
  /** Entities of running transactions. */
  private readonly held = new Set<string>();
  private count = 0;
  /** Whether the last batch was a submission of more proposals than a transaction should have. */
  private tookLarge = false;

  get length(): number {
    return this.line.length;
  }

  /** How many proposals wait. */
  get proposals(): number {
    return this.count;
  }

  add(submission: U): void {
    const urns = new Set<string>();
    for (const { urn } of submission.proposals) urns.add(urn.text);
    this.line.push({ submission, urns });
    this.count += submission.proposals.length;
  }

  /** Puts submissions that did not fit into their transaction back to the front. */
  putBack(submissions: readonly U[]): void {
    if (submissions.length === 0) return;
    const { line } = this;
    this.line = [];
    for (const submission of submissions) this.add(submission);
    this.line.push(...line);
  }

  /**
   * Takes the batch of the next transaction: at most so many submissions and proposals, but one submission may be of
   * any size. After a large one the others go first, so that each waits for one large one at the most. Empty while
   * everything that waits conflicts with running transactions.
   * @returns the submissions, and what to call when their transaction is over.
   */
  take(submissions: number, proposals: number): { batch: U[]; release: () => void } {
    const isLarge = (each: U): boolean => each.proposals.length > proposals;
    let taken = this.tookLarge ? this.choose(submissions, proposals, isLarge) : undefined;
    if (taken === undefined || taken.batch.length === 0) taken = this.choose(submissions, proposals);
    const { batch, held, rest } = taken;
    if (batch.length > 0) this.tookLarge = batch.some(isLarge);
    this.line = rest;
    for (const each of batch) this.count -= each.proposals.length;
    for (const urns of held) for (const urn of urns) this.held.add(urn);
    return {
      batch,
      release: () => {
        for (const urns of held) for (const urn of urns) this.held.delete(urn);
      },
    };
  }

  private choose(submissions: number, proposals: number, stays: (submission: U) => boolean = () => false) {
    const batch: U[] = [];
    const held: Array<ReadonlySet<string>> = [];
    const staying = new Set<string>();
    const rest: Array<Waiting<U>> = [];
    let size = 0;
    let full = false;
    for (const waiting of this.line) {
      const { submission } = waiting;
      const waits = stays(submission) || meets(waiting.urns, this.held) || meets(waiting.urns, staying);
      if (!full && waits) {
        for (const urn of waiting.urns) staying.add(urn);
        rest.push(waiting);
        continue;
      }
      full ||=
        batch.length > 0 && (batch.length >= submissions || size + submission.proposals.length > proposals);
      if (full) {
        rest.push(waiting);
        continue;
      }
      batch.push(submission);
      size += submission.proposals.length;
      held.push(waiting.urns);
    }
    return { batch, held, rest };
  }
}

function meets(urns: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false;
  for (const urn of urns) if (others.has(urn)) return true;
  return false;
}
