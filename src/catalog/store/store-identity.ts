import { randomUUID } from 'node:crypto';
import type { Database, SqlReader } from './database.js';
import { addFacts, lockFact, readFacts, writeFact } from './store-facts.js';

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
    await addFacts(tx, { identity: randomUUID(), epoch: '1' });
    return (await readIdentity(tx))!;
  });
}

export async function readIdentity(reader: SqlReader): Promise<StoreIdentity | undefined> {
  const { identity, epoch } = await readFacts(reader, ['identity', 'epoch']);
  return identity === undefined ? undefined : { database: identity, epoch: Number(epoch) };
}

/** Begins an epoch after `epoch`, unless another process has done so; answers the one that holds now. */
export async function renewEpoch(database: Database, epoch: number): Promise<StoreIdentity> {
  await identityOf(database);
  return database.transaction(async (tx) => {
    await lockFact(tx, 'epoch');
    const now = (await readIdentity(tx))!;
    if (now.epoch > epoch) return now;
    await writeFact(tx, 'epoch', String(epoch + 1));
    return { ...now, epoch: epoch + 1 };
  });
}
