import type { IndexConnection } from './index-connection.js';

/** Work with a check point wherever it yields: every millisecond or so. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Carries out a search to its end on one state of the index, whatever is written meanwhile.
 * @param checkPoint called between the steps; ends the search with what it throws
 */
export function inOneState<T>(
  connection: IndexConnection,
  work: (connection: IndexConnection) => Steps<T>,
  checkPoint: () => void,
): T {
  let steps: Steps<T> | undefined;
  try {
    connection.exec('BEGIN');
    steps = work(connection);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      checkPoint();
    }
  } finally {
    // Walks through rows end here.
    steps?.return(undefined as never);
    connection.end('COMMIT');
  }
}

let preparedMs = 0;

/** Milliseconds that this thread has spent on what later searches use as well; see {@link prepared}. */
export const msOfPreparing = (): number => preparedMs;

/** Makes what later searches use as well, such as a cache: the search that comes first is not charged with it. */
export function prepared<T>(make: () => T): T {
  const began = performance.now();
  try {
    return make();
  } finally {
    preparedMs += performance.now() - began;
  }
}

/** The same in steps. */
export function* preparedSteps<T>(make: Steps<T>): Steps<T> {
  for (;;) {
    const step = prepared(() => make.next());
    if (step.done) return step.value;
    yield;
  }
}
