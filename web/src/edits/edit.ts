import type { EntityType } from '../generated.js';
import type { Aspects } from '../entity/facts.js';

/** What is edited, and how people call things. */
export interface Target {
  readonly urn: string;
  readonly name: string;
  /** What to call an entity that is named in an edit. */
  readonly nameOf: (urn: string) => string;
}

/** One change, in words before it is made. */
export interface Step {
  readonly words: string;
  readonly run: () => Promise<unknown>;
}

/** A kind of edit; undone by planning the way back. */
export interface Edit<Value> {
  /** The value in what is stored. */
  readonly read: (aspects: Aspects, urn: string) => Value;
  /** What the form begins with, where it is not the value. */
  readonly begin?: (aspects: Aspects) => Value;
  /** The steps from a value to another. */
  readonly plan: (target: Target, from: Value, to: Value) => Step[];
  /** A value in words. */
  readonly inWords: (value: Value, nameOf: Target['nameOf']) => string;
  /** A draft over what another user wrote in the meantime; the draft itself where this is absent. */
  readonly merge?: (from: Value, draft: Value, latest: Value) => Value;
  /** What will be stored, to be shown before the service answers; absent where that cannot be known. */
  readonly expect?: (aspects: Aspects, to: Value) => Aspects;
}

/** An edit of a list of entities that another refers to. */
export interface ListEdit extends Edit<readonly string[]> {
  /** What can be chosen. */
  readonly types: readonly EntityType[];
}

/** Another user wrote what is edited. */
export class Conflict<Value> extends Error {
  constructor(readonly latest: Value) {
    super('Another user changed it in the meantime.');
  }
}

/** A step was refused; those before it are done. */
export class Halfway extends Error {
  constructor(
    readonly done: readonly string[],
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What is in one list and not in another. */
export const without = (list: readonly string[], others: readonly string[]): string[] =>
  list.filter((one) => !others.includes(one));

/** Takes the steps in order. @throws Halfway */
export async function take(steps: readonly Step[]): Promise<void> {
  const done: string[] = [];
  for (const { words, run } of steps) {
    try {
      await run();
    } catch (error) {
      throw new Halfway(done, error as Error);
    }
    done.push(words);
  }
}
