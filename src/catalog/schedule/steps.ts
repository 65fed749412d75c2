import { SLICE_MS } from './slice-ms.js';
import { turn } from './turns.js';

/** Work that can pause wherever it yields, some milliseconds apart at the most, and that ends with a result. */
export type Steps<T> = Generator<void, T, void>;

/** Items of {@link eachInSteps} that are looked at in one go. */
const TOGETHER = 1_000;

/** Does something short with each of maybe very many. */
export function* eachInSteps<T>(items: readonly T[], work: (item: T, index: number) => void): Steps<void> {
  for (let from = 0; from < items.length; from += TOGETHER) {
    if (from > 0) yield;
    const to = Math.min(from + TOGETHER, items.length);
    for (let i = from; i < to; i += 1) work(items[i] as T, i);
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
