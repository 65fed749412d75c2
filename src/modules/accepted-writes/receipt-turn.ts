import { readJson } from '../../catalog/json/index.js';
import type { ReceiptOutcome } from './stored-proposals.js';

/** What the turn of a write depends on. */
interface Waiting {
  /** Tries of it that came to no end of their own. */
  attempts: number;
  /** JSON text of a {@link ReceiptOutcome}: it names the aspects that are to be written. */
  outcome: string;
}

/** Whether a write gives way to all others: it was tried alone and came to no end. */
export function givesWay({ attempts }: Pick<Waiting, 'attempts'>): boolean {
  return attempts >= 2;
}

/**
 * Which writes are carried out next, all of them at once. Those that were never tried go together, in their order. One
 * that was under way when a process died may be what it died of: it goes alone, and after that behind all the others.
 * Writes to the same entities wait behind it, so that they stay in order.
 * @param waiting in the order of acceptance.
 * @param lastFirst whether it is the turn of one that gives way: others may come all the time
 */
export function nextTurn<T extends Waiting>(waiting: readonly T[], lastFirst = false): T[] {
  const last = waiting.filter(givesWay);
  const one = lastFirst && last.length > 0 ? firstOfLast(waiting) : undefined;
  if (one !== undefined) return [one];
  const ready = last.length === 0 ? waiting : besides(waiting);
  const [first] = ready;
  if (first === undefined) return last.slice(0, 1);
  if (first.attempts > 0) return [first];
  const suspect = ready.findIndex(({ attempts }) => attempts > 0);
  return ready.slice(0, suspect === -1 ? ready.length : suspect);
}

/** The first that gives way and has no write to its entities before it. */
function firstOfLast<T extends Waiting>(waiting: readonly T[]): T | undefined {
  const before = new Set<string>();
  return waiting.find((write) => {
    const urns = urnsOf(write);
    const free = givesWay(write) && !urns.some((urn) => before.has(urn));
    for (const urn of urns) before.add(urn);
    return free;
  });
}

/** The writes that need not wait for one that goes last. */
function besides<T extends Waiting>(waiting: readonly T[]): T[] {
  const held = new Set<string>();
  return waiting.filter((write) => {
    const urns = urnsOf(write);
    const waits = givesWay(write) || urns.some((urn) => held.has(urn));
    if (waits) for (const urn of urns) held.add(urn);
    return !waits;
  });
}

function urnsOf({ outcome }: Waiting): string[] {
  return (readJson(outcome) as ReceiptOutcome).items.map(({ urn }) => urn);
}
