import type { SqlReader, Transaction } from './database.js';

/** A row of `store_fact`: what holds for the database as a whole. All SQL on that table stands here. */
interface Fact {
  name: string;
  value: string;
}

export async function readFact(reader: SqlReader, name: string): Promise<string | undefined> {
  return (await readFacts(reader, [name]))[name];
}

export async function readFacts(
  reader: SqlReader,
  names: readonly string[],
  lock = '',
): Promise<Partial<Record<string, string>>> {
  const places = names.map(() => '?').join(', ');
  const rows = await reader.all<Fact>(
    `SELECT name, value FROM store_fact WHERE name IN (${places}) ${lock}`,
    names,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** {@link readFact}; no other transaction changes it before this one ends. */
export async function lockFact(tx: Transaction, name: string): Promise<string | undefined> {
  return (await readFacts(tx, [name], tx.dialect.forUpdate))[name];
}

export async function writeFact(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.insert<Fact>('store_fact', ['name', 'value'], [[name, value]], {
    key: ['name'],
    then: 'update',
    set: ['value'],
  });
}

/** Adds those that are not there yet: of processes that start together the first one writes them. */
export async function addFacts(tx: Transaction, facts: Readonly<Record<string, string>>): Promise<void> {
  await tx.insert<Fact>('store_fact', ['name', 'value'], Object.entries(facts), {
    key: ['name'],
    then: 'ignore',
  });
}

export async function deleteFact(tx: Transaction, name: string): Promise<void> {
  await tx.run('DELETE FROM store_fact WHERE name = ?', [name]);
}
