import { SLICE_MS } from './slice-ms.js';
import { turn } from './turns.js';

/** Work that can pause wherever it yields, some milliseconds apart at the most, and that ends with a result. */
export type Steps<T> = Generator<void, T, void>;

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
