import { randomUUID } from 'node:crypto';
import type { SqlReader, Transaction } from './database.js';
import { readFact, writeFact } from './store-facts.js';

/** Name of the fact that is another after each change without an entry in the change log. */
const FACT = 'unlogged';

/**
 * Notes, in the transaction of the change, that values, history, or events were changed without an entry in the change log:
 * what they were before cannot be told from the log.
 */
export function noteUnlogged(tx: Transaction): Promise<void> {
  return writeFact(tx, FACT, randomUUID());
}

/** The same text as before only if nothing was changed meanwhile without an entry in the change log. */
export async function unloggedMark(reader: SqlReader): Promise<string> {
  return (await readFact(reader, FACT)) ?? '';
}
