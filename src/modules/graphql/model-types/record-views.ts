import type { Type } from '@nestjs/common';
import type { GraphQLNamedType } from 'graphql';
import type { EntityContext } from '../types/entity.js';

/**
 * How a record of the model is shown where a hand-written type stands for it.
 * @param owner URN of the entity whose aspect has the record
 */
export type Show = (value: never, context: EntityContext, owner: string) => unknown;

/** A class with a name in GraphQL; interfaces are abstract. */
type Shows = abstract new (...args: never[]) => unknown;

export interface RecordView {
  /** Name of the hand-written type. */
  readonly type: string;
  /** Undefined where the type reads what is stored as it is. */
  readonly show: Show | undefined;
}

/** A hand-written field for an aspect, on every entity that has the aspect. */
export interface AspectView extends RecordView {
  readonly list: boolean;
}

const views = new Map<string, RecordView>();
const aspectViews = new Map<string, AspectView>();
const shownTypes = new Set<Shows>();
/** Records that hand-written types show in part, by the name of the type. */
const parts = new Map<string, string>();
const whole = new Set<string>();

/**
 * Makes a hand-written type stand for a record of the model, in all aspects that have the record.
 * @param record its name in the model: `common.GlobalTags`
 * @param show makes the object that the type reads; absent where it reads the stored record itself
 * @param made the class of the type; only needed where no field of a hand-written type has that type
 */
export function showsRecord(record: string, type: string, show?: Show, made?: Shows): void {
  views.set(record, { type, show });
  if (made) shownTypes.add(made);
}

/**
 * Says how the field of an aspect is shown on every entity that has the aspect.
 * @param type a hand-written class, in brackets for a list of them
 */
export function showsAspect(aspect: string, type: Shows | [Shows], show: Show): void {
  const shown = Array.isArray(type) ? type[0] : type;
  shownTypes.add(shown);
  aspectViews.set(aspect, { type: shown.name, list: Array.isArray(type), show });
}

/** Classes that stand in no field of a hand-written type. */
export function shownClasses(): Type[] {
  return [...shownTypes] as Type[];
}

/** How the field of an aspect is shown, if that is hand-written. */
export function aspectView(aspect: string): AspectView | undefined {
  return aspectViews.get(aspect);
}

/** What objects of a hand-written type carry when the model completes the type, see {@link showsPartOf}. */
export interface Stored {
  /** The record; undefined shows the rest as null. */
  stored?: object | undefined;
  /** URN of the entity that the record belongs to. */
  owner?: string | undefined;
}

/**
 * Says that a hand-written type shows part of a record: what it lacks comes from the model. Its objects are
 * {@link Stored}.
 * @param always whether each of them has the record: what the record must have is then always there
 */
export function showsPartOf(type: string, record: string, always = false): void {
  parts.set(type, record);
  if (always) whole.add(type);
}

/** Whether the objects of a hand-written type always have the record that it shows in part. */
export function alwaysStored(type: string): boolean {
  return whole.has(type);
}

/** Hand-written types by name, with the records that they show in part. */
export function partialTypes(): ReadonlyMap<string, string> {
  return parts;
}

/** The hand-written type for a record, if there is one. */
export function viewOf(
  record: string,
  types: ReadonlyMap<string, GraphQLNamedType>,
): { type: GraphQLNamedType; show: Show | undefined } | undefined {
  const view = views.get(record);
  const type = view && types.get(view.type);
  return type && { type, show: view.show };
}
