import { Refusal } from '../api.js';
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
  readonly words: readonly string[];
  readonly run: () => Promise<unknown>;
  /** The field of the form that a place of its input belongs to. @param pointer JSON pointer */
  readonly field?: (pointer: string) => string | undefined;
}

/** What is wrong, by the field of the form. */
export type Faults = ReadonlyMap<string, string>;

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
  /** Whether the way back leads to the value; always where this is absent. */
  readonly undoable?: (from: Value) => boolean;
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
    super('Another user changed it.');
  }
}

/** A step was refused; those before it are done. */
export class Halfway extends Error {
  readonly faults: Faults;
  constructor(
    readonly done: readonly string[],
    { field }: Step,
    cause: Error,
  ) {
    super(cause.message, { cause });
    const faults = cause instanceof Refusal ? cause.faults : [];
    this.faults = new Map(
      faults.flatMap(({ pointer, message }) => {
        const place = field?.(pointer);
        return place === undefined ? [] : [[place, message]];
      }),
    );
  }
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What is in one list and not in another. */
export const without = <One>(list: readonly One[], others: readonly One[]): One[] =>
  list.filter((one) => !others.some((other) => same(one, other)));

/** What a draft took from a list and added to it, done to what the list is by now. */
export const merged = <One>(
  from: readonly One[],
  draft: readonly One[],
  latest: readonly One[],
): readonly One[] => [...without(latest, without(from, draft)), ...without(without(draft, from), latest)];

/** Takes the steps in order. @throws Halfway */
export async function take(steps: readonly Step[]): Promise<void> {
  const done: string[] = [];
  for (const step of steps) {
    try {
      await step.run();
    } catch (error) {
      throw new Halfway(done, step, error as Error);
    }
    done.push(...step.words);
  }
}
