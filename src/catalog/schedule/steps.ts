import { SLICE_MS } from './slice-ms.js';
import { turn } from './turns.js';

/** Work that can pause wherever it yields, some milliseconds apart at the most, and that ends with a result. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Items that work in steps looks at in one go, where each takes microseconds. Few, as the clock is looked at between the steps only:
 * while the collector marks a large heap, each 64 KiB that are allocated cost some milliseconds of marking.
 */
export const ITEMS_A_STEP = 100;

/** Does something short with each of maybe very many. Entries of a large map come one by one: a list of them would be made in one go. */
export function* eachInSteps<T>(items: Iterable<T>, work: (item: T, index: number) => void): Steps<void> {
  let index = 0;
  for (const item of items) {
    if (index > 0 && index % ITEMS_A_STEP === 0) yield;
    work(item, index++);
  }
}

/** Carries out all steps in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Carries out steps in turns with other heavy work: other requests are served between them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await turn();
    const ends = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < ends);
  }
}
