import { turn } from '../../../catalog/schedule/index.js';
import type { SearchBudget } from '../../../catalog/search/index.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexFile } from './index-file.js';

/** Work that can be left and gone on with wherever it yields: every millisecond or so. */
export type Steps<T> = Generator<void, T, void>;

/** How long a search holds the thread before others have their turn. Most searches are over before. */
const SLICE_MS = 10;

const POSTPONED = Symbol('postponed');

/**
 * Carries out a search on one state of the index throughout, whatever is written meanwhile. One that takes longer takes
 * turns with all other work of the process; so many of them go on at a time, further ones wait.
 * @throws CatalogError SEARCH_TOO_COSTLY, REQUEST_ABANDONED
 */
export async function inTurns<T>(
  file: IndexFile,
  work: (connection: IndexConnection) => Steps<T>,
  budget: SearchBudget,
): Promise<T> {
  budget.check();
  const result = await attempt(file, file.connection, false, work, budget);
  if (result !== POSTPONED) return result;
  const connection = await file.borrow();
  await turn();
  return attempt(file, connection, true, work, budget) as Promise<T>;
}

/** @param lent whether the connection is this search's own */
async function attempt<T>(
  file: IndexFile,
  connection: IndexConnection,
  lent: boolean,
  work: (connection: IndexConnection) => Steps<T>,
  budget: SearchBudget,
): Promise<T | typeof POSTPONED> {
  let steps: Steps<T> | undefined;
  try {
    connection.exec('BEGIN');
    steps = work(connection);
    let began = budget.now();
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      const spent = budget.now() - began;
      if (spent < SLICE_MS) continue;
      budget.spend(spent);
      if (file.canLend) {
        if (!lent && !file.lend()) return POSTPONED;
        lent = true;
        await turn();
        budget.check();
      }
      began = budget.now();
    }
  } finally {
    // Walks through rows end here.
    steps?.return(undefined as never);
    connection.end('COMMIT');
    if (lent) file.giveBack(connection);
  }
}
