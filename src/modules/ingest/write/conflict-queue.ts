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
  /** Entities of the transactions under way. */
  private readonly held = new Set<string>();
  private count = 0;

  get length(): number {
    return this.line.length;
  }

  /** Of all that wait. */
  get proposals(): number {
    return this.count;
  }

  add(submission: U): void {
    const urns = new Set<string>();
    for (const { urn } of submission.proposals) urns.add(urn.text);
    this.line.push({ submission, urns });
    this.count += submission.proposals.length;
  }

  /**
   * Takes what the next transaction writes: at most so many submissions and proposals, but one of any size. Nothing
   * while all that wait write what transactions under way hold.
   * @returns the submissions, and what to call when their transaction is over.
   */
  take(submissions: number, proposals: number): { batch: U[]; release: () => void } {
    const batch: U[] = [];
    const urns = new Set<string>();
    const staying = new Set<string>();
    const rest: Array<Waiting<U>> = [];
    let size = 0;
    let full = false;
    for (const waiting of this.line) {
      const { submission } = waiting;
      if (!full && (meets(waiting.urns, this.held) || meets(waiting.urns, staying))) {
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
      for (const urn of waiting.urns) urns.add(urn);
    }
    this.line = rest;
    this.count -= size;
    for (const urn of urns) this.held.add(urn);
    return {
      batch,
      release: () => {
        for (const urn of urns) this.held.delete(urn);
      },
    };
  }
}

function meets(urns: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false;
  for (const urn of urns) if (others.has(urn)) return true;
  return false;
}
