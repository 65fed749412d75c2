import type { ChangeProposal } from '../../../catalog/change/index.js';

interface Waiting<U> {
  unit: U;
  /** The entities that it writes. */
  urns: ReadonlySet<string>;
}

/**
 * Submissions that wait for a transaction, in the order in which they came. One that writes an entity of a transaction
 * under way stays where it is: inside a transaction of its own it would only wait for the lock, and make everybody in
 * there wait with it. What came later and writes nothing of what stays may go first.
 */
export class WaitingLine<U extends { proposals: readonly ChangeProposal[] }> {
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

  add(unit: U): void {
    const urns = new Set<string>();
    for (const { urn } of unit.proposals) urns.add(urn.text);
    this.line.push({ unit, urns });
    this.count += unit.proposals.length;
  }

  /**
   * Takes what the next transaction writes: at most so many submissions and proposals, but one of any size. Nothing
   * while all that wait write what transactions under way hold.
   * @returns the submissions, and what to call when their transaction is over.
   */
  take(units: number, proposals: number): { batch: U[]; release: () => void } {
    const batch: U[] = [];
    const urns = new Set<string>();
    const staying = new Set<string>();
    const rest: Array<Waiting<U>> = [];
    let size = 0;
    let full = false;
    for (const waiting of this.line) {
      const { unit } = waiting;
      if (!full && (meets(waiting.urns, this.held) || meets(waiting.urns, staying))) {
        for (const urn of waiting.urns) staying.add(urn);
        rest.push(waiting);
        continue;
      }
      full ||= batch.length > 0 && (batch.length >= units || size + unit.proposals.length > proposals);
      if (full) {
        rest.push(waiting);
        continue;
      }
      batch.push(unit);
      size += unit.proposals.length;
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
