import type { RowMode, RowPlan } from './csv-field.js';

/** An entry that cells ask for: an entry that is there already is meant by it, or it is made. */
export interface WantedEntry<T> {
  readonly name: string;
  matches(entry: T): boolean;
  make(): T;
}

/**
 * The entries after cells said which there are: those that stay are left as they are, with all that is known of them. Undefined
 * when nothing changes.
 * @param what the entries are called in the plan
 */
export function changedList<T>(
  what: string,
  current: readonly T[],
  wanted: ReadonlyArray<WantedEntry<T>>,
  mode: RowMode,
  plan: RowPlan,
  nameOf: (entry: T) => string,
): T[] | undefined {
  const added = wanted.filter((entry) => !current.some((other) => entry.matches(other)));
  const unnamed = current.filter((entry) => !wanted.some((other) => other.matches(entry)));
  const removed = mode.override ? unnamed : [];
  if (unnamed.length > removed.length) plan.kept = true;
  if (added.length === 0 && removed.length === 0) return undefined;
  for (const { name } of added) plan.changes.push(`${what} + ${name}`);
  for (const entry of removed) plan.changes.push(`${what} - ${nameOf(entry)}`);
  return [...current.filter((entry) => !removed.includes(entry)), ...added.map((entry) => entry.make())];
}
