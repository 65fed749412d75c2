import { setImmediate as nextRound } from 'node:timers/promises';
import { turn } from './turns.js';

/** How long work holds the event loop in one go, in milliseconds. */
const SLICE_MS = 5;
/** Rounds of the event loop in between: one accepts a connection, the next reads its request. */
const ROUNDS = 2;

/** Divides long work of one transaction, which nothing else must overtake: sockets are served between its slices. */
export class TimeSlices {
  private ends = performance.now() + SLICE_MS;

  /** Undefined while the slice lasts; else what to wait for before the work goes on. */
  over(): Promise<void> | undefined {
    return performance.now() < this.ends ? undefined : this.serveOthers();
  }

  private async serveOthers(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) await nextRound();
    this.ends = performance.now() + SLICE_MS;
  }
}

/**
 * Runs work on each item, some milliseconds in one go; between them other requests take their turns.
 * @returns undefined when one slice was enough: what is short goes on at once. Else a promise, which rejects with what `work` throws.
 */
export function inSlices<T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
): Promise<void> | undefined {
  const next = slice(items, 0, work);
  return next < items.length ? rest(items, next, work) : undefined;
}

/** {@link inSlices} for work that makes something of each item. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const made: R[] = [];
  await inSlices(items, (item, index) => made.push(work(item, index)));
  return made;
}

async function rest<T>(
  items: readonly T[],
  from: number,
  work: (item: T, index: number) => void,
): Promise<void> {
  for (let next = from; next < items.length; next = slice(items, next, work)) await turn();
}

/** Works until the slice is over; answers what comes next. */
function slice<T>(items: readonly T[], from: number, work: (item: T, index: number) => void): number {
  const ends = performance.now() + SLICE_MS;
  let next = from;
  while (next < items.length) {
    work(items[next] as T, next);
    next += 1;
    if (performance.now() >= ends) break;
  }
  return next;
}
