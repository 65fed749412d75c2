import { setImmediate as nextRound } from 'node:timers/promises';
import { isPromise } from 'node:util/types';
import { SLICE_MS } from './slice-ms.js';
import type { Steps } from './steps.js';
import { turn } from './turns.js';

/** How long work that is over may have held it before others are served: short work does not lose its place among its like. */
const LONG_MS = 20;
/** Rounds of the event loop in between: one accepts a connection, the next reads its request. */
const ROUNDS = 2;

/** Divides long work of one transaction, which nothing else must overtake: sockets are served between its slices. */
export class TimeSlices {
  private ends = performance.now() + SLICE_MS;

  /** Undefined while the slice lasts; else what to wait for before the work goes on. */
  over(): Promise<void> | undefined {
    return performance.now() < this.ends ? undefined : this.serveOthers();
  }

  /** Carries out steps in slices. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const over = this.over();
      if (over) await over;
    }
  }

  private async serveOthers(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) await nextRound();
    this.ends = performance.now() + SLICE_MS;
  }
}

/**
 * Runs work on each item, some milliseconds in one go; between them, and behind a last one that took long, other requests take
 * their turns. Work that returns a promise takes turns itself, and the next item waits for it.
 * Rejects with what `work` throws.
 */
export async function inSlices<T>(
  items: readonly T[],
  work: (item: T, index: number) => void | Promise<void>,
): Promise<void> {
  let ends = performance.now() + SLICE_MS;
  for (let next = 0; next < items.length; next += 1) {
    const turns = work(items[next] as T, next);
    const rest = next < items.length - 1 ? 0 : LONG_MS;
    if (turns === undefined && performance.now() < ends + rest) continue;
    await (turns ?? turn());
    ends = performance.now() + SLICE_MS;
  }
}

/** {@link inSlices} for work that makes something of each item. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  await inSlices(items, (item, index) => {
    const one = work(item, index);
    if (isPromise(one)) return one.then((value) => void made.push(value));
    made.push(one);
    return undefined;
  });
  return made;
}
