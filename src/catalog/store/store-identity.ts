import { randomUUID } from 'node:crypto';
import type { Database, SqlReader } from './database.js';

/** Tells one database, and one past of it, from another. */
export interface StoreIdentity {
  readonly database: string;
  readonly epoch: number;
}

/** The identity of the database, made when it has none yet, and its epoch. */
export async function identityOf(database: Database): Promise<StoreIdentity> {
  const known = await readIdentity(database);
  if (known) return known;
  return database.transaction(async (tx) => {
    const facts = [
      ['identity', randomUUID()],
      ['epoch', '1'],
    ];
    // Of processes that start together the first one makes it.
    await tx.insert<{ name: string; value: string }>('store_fact', ['name', 'value'], facts, {
      key: ['name'],
      then: 'ignore',
    });
    return (await readIdentity(tx))!;
  });
}

export async function readIdentity(reader: SqlReader): Promise<StoreIdentity | undefined> {
  const rows = await reader.all<{ name: string; value: string }>(
    "SELECT name, value FROM store_fact WHERE name IN ('identity', 'epoch')",
  );
  const { identity, epoch } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  return identity === undefined ? undefined : { database: identity, epoch: Number(epoch) };
}
