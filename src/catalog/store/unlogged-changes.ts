import { randomUUID } from 'node:crypto';
import type { SqlReader, Transaction } from './database.js';

/** Name of the row of `store_fact` that is another after each change without an entry in the change log. */
const FACT = 'unlogged';

/**
 * Notes, in the transaction of the change, that values, history, or events were changed without an entry in the change log:
 * what they were before cannot be told from the log.
 */
export async function noteUnlogged(tx: Transaction): Promise<void> {
  await tx.insert<{ name: string; value: string }>('store_fact', ['name', 'value'], [[FACT, randomUUID()]], {
    key: ['name'],
    then: 'update',
    set: ['value'],
  });
}

/** The same text as before only if nothing was changed meanwhile without an entry in the change log. */
export async function unloggedMark(reader: SqlReader): Promise<string> {
  const [row] = await reader.all<{ value: string }>('SELECT value FROM store_fact WHERE name = ?', [FACT]);
  return row?.value ?? '';
}
